"""The word patterns of `understanding`, as data. One pattern an intent; alternatives of all three languages."""

YES = (
    r"^\W*(?:yes|yeah|yep|sure|please do|ok(?:ay)?|go ahead|correct|right|exactly|of course|that's (?:right|fine)|do it)\b"
    r"|\byes\b|\bplease (?:do|go ahead|proceed)\b|^\W*s[ií]\b|\bde acuerdo\b|\badelante\b|\bclaro\b|\bpor favor,? h[aá]galo"
    r"|^\s*(?:是的?|好的?|可以|对|行|请)"
)
NO = r"^\W*no\b(?! problem)|\bno,? thank|\bdon'?t\b|\bdo not\b|\brather not\b|^\s*(?:不|别|没有)"
SPANISH = (
    r"[¿¡ñ]|\b(?:hola|quiero|pedido|dinero|devuel\w*|lleg[oó]\w*|gracias|tarjeta|correo|cu[aá]nto|env[ií]o|rot[oa]"
    r"|reembolso|s[ií], |por favor|mi n[uú]mero|es el)\b"
)
INTENTS = {
    "injury": r"\b(?:hurt|burn(?:ed|t)|injur\w+|bleeding|hospital|electric shock|me cort[eé]|quem[aéo]\w*|herid\w+)\b|受伤|烫伤",
    "person": (
        r"\b(?:speak|talk|connect me|put me through)\b.{0,20}\b(?:human|person|agent|someone|manager|supervisor|representative)"
        r"|\breal person\b|hablar con (?:una persona|un agente|alguien)|人工|真人"
    ),
    "others_data": (
        r"\b(?:person|customer|neighbou?r|buyer|man|woman|guy) who (?:ordered|bought|placed)"
        r"|\bwho(?:se| ordered| placed| does)\b.{0,40}\b(?:parcel|package|order|it)\b"
        r"|\b(?:her|his|their|my (?:wife|husband|neighbou?r|friend|sister|brother|mother|father|boss|colleague)(?:'s|s')?)"
        r"\s+(?:e-?mail|phone|address|details|order|account)|\b(?:e-?mail|phone|address|details) of (?:the|my|another|somebody)"
        r"\s+(?:person|customer|neighbou?r|wife|husband|friend|other)|de (?:otro|otra) client|别人的|邻居的"
    ),
    "card_number": r"\b(?:full |whole |complete )?(?:credit )?card (?:number|details)\b|n[uú]mero de (?:mi )?tarjeta|卡号",
    "own_details": (
        r"\b(?:which|what|tell me|confirm|check)\b.{0,40}\b(?:address|e-?mail|phone(?: number)?|name)\b.{0,40}"
        r"\b(?:have|hold|on file|stored|for my account|on my account|for me)\b"
        r"|qu[eé] (?:direcci[oó]n|correo|tel[eé]fono) tienen|(?:我的)?账户.{0,8}(?:地址|邮箱|电话)"
    ),
    "refund_time": (
        r"\b(?:how long|when)\b.{0,40}\b(?:see it|refund\w*|my money|the money|get it back)"
        r"|cu[aá]nto (?:tarda|tiempo).{0,30}(?:dinero|reembolso)|(?:多久|什么时候).{0,8}(?:到账|退款)"
    ),
    "email_notice": r"\b(?:send|get|receive)\b.{0,20}\b(?:an? )?(?:e-?mail|confirmation|message)\b.{0,30}\b(?:when|once|after|done)\b",
    "cancel": r"\bcancel|\bcall off\b|\bcancelar|\banular|取消",
    "change_address": (
        r"\b(?:change|update|correct|new|another|different|wrong)\b.{0,30}\b(?:delivery |shipping )?address"
        r"|\b(?:deliver|send|ship)(?:ed)? (?:it )?(?:to )?(?:a different|another) (?:place|address)"
        r"|cambiar la direcci[oó]n|(?:改|换|更改).{0,4}地址"
    ),
    "return_window": (
        r"\b(?:until when|how long|how many days|by when|deadline|time limit|when)\b.{0,60}\b(?:return|send (?:it|this|them) back|back)\b"
        r"|\breturn (?:window|period|policy)\b|hasta cu[aá]ndo.{0,30}devolver|(?:多久|几天|期限).{0,10}退"
    ),
    "store_credit": r"\bstore credit\b|\bvoucher\b|\bgift card\b|\bvale de (?:compra|tienda)\b|购物券|店铺积分",
    "refund": (
        r"\brefund|money back|\bmy money\b|\breimburse|\bbroken\b|\bcracked\b|\bdamaged\b|\bdefect|\bwrong (?:item|colou?r|size|one)\b"
        r"|\bmissing\b|\bincomplete\b|\bwithout its\b|reembols|devuelvan? el dinero|\brot[oa]\b|退款|退钱|坏了|破了"
    ),
    "return": r"\breturn\b|\bsend (?:it|this|them) back\b|\bdevolver\b|退货",
    "promise": r"\b(?:promise|guarantee|for sure|definitely|certainly)\b|garantiz|promet|保证",
    "delivery": (
        r"\b(?:how (?:long|much)|what does|when)\b.{0,40}\b(?:deliver\w*|shipping|ship)\b|\bdelivery (?:time|cost|fee|take)"
        r"|\bshipping (?:time|cost)|cu[aá]nto (?:tarda|cuesta).{0,15}env[ií]o|(?:多久|几天).{0,6}(?:送到|送达|到货)|运费"
    ),
    "track": r"\bwhere is\b.{0,30}\b(?:order|parcel|package)\b|\btrack|\bstatus of\b|d[oó]nde est[aá] mi|(?:包裹|订单).{0,6}(?:哪|状态)",
    "off_topic": (
        r"\b(?:weather|recipe|poem|joke|homework|stock market|bitcoin|football|politic\w*|president|medical advice|lawyer)\b"
        r"|\bel tiempo\b|天气|笑话"
    ),
    "thanks": r"\b(?:thanks?|thank you|cheers|gracias|that's (?:all|a pity)|bye|goodbye)\b|谢谢|再见",
    "greeting": r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|hola|buen[oa]s|你好|您好)\b",
}
