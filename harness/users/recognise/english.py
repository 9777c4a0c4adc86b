"""English."""

from harness.users.recognise.language import Language, any_of, named, words

_POLITE = r"(?:,? (?:please|kindly|also|just|perhaps|possibly|then|maybe|quickly))*,?"
_CAN = rf"(?:could|can|would|will) you{_POLITE}"
_PLEASE = r"(?:please|kindly)(?: (?:also|then|just|kindly|either|first|now|next|do|go ahead and|simply))*"
_TELL = (
    r"(?:re-?)?(?:have|provide|share|give|tell|send|specify|supply|enter|indicate|state|clarify|list|verify|describe|"
    r"explain|double[- ]?check|remind|mention|type|spell|choose|select|pick|identify|include|submit|pass|advise|"
    r"input|(?:respond|reply) with|let (?:me|us) know|help me (?:with|by)|fill (?:in|out)|note down|elaborate)"
)
_SAY = r"(?:provide|share|give|tell|send|specify|indicate|choose|include|let (?:me|us) know)"
_ME = r"(?: (?:me|us))?(?: (?:with|about|of|on|by))?"
_I = r"(?:i|we)(?:'(?:ll|d|m|re)| will| would| am| are)?(?: (?:also|just|still|first|then|only|simply))*"
_SEE = (
    r"(?:find|locate|verify|see|access|retrieve|get|look|authenticate|confirm|identify|match|search|reach|read|open|load|"
    r"understand|complete|process)\b"
)
_BROKEN = r"\b(?:errors?|down|offline|unavailable|time[ds]?[ -]?out|technical|connection|try)\b"
_YOU = r"you(?:'(?:d|ll|re)| would| will| are)?(?: (?:still|also|really|do|instead|now))*"
_WANT = rf"{_YOU} (?:like|want|wish|agree|happy|ok|okay|fine|ready|consent|approve|authori[sz]e|prefer|accept|decide)"
_IF = r"(?:if|whether|that)"
_NO = r"(?:ids?|numbers?|nos?\b\.?|codes?|#|references?|ref\b)"
_YOUR = r"(?:the|your|that|this|each|which|these|those|an?|any|my)"

ENGLISH = Language(
    code="en",
    marks=words(
        "the you your to of is are please and have for can could what which i any name number email would "
        "this that has "
        "been was with on at from by not all our it we an as if be may"
    ),
    cues=any_of(
        r"\?",
        r"\b(?:please|kindly|could|can|may i|might i|would|let (?:me|us) know|need|require|once|if|reply|respond|"
        r"confirm|tell|give|send|provide|shall|should i|like|have to|say|choose|select|feel free|try|bye|goodbye|"
        r"take care|have a|enjoy|safe travels|awaiting|waiting for)\b",
    ),
    closing=any_of(
        r"\banything (?:else|further|more)\b(?! (?:you (?:remember|know|can (?:tell|provide|share))))",
        r"\b(?:any|some|more|other|further|additional) (?:(?:other|more|further|additional) )?(?:questions?|"
        r"concerns?|queries)\b",
        r"\b(?:any|needs?|require|want|with) (?:any |some )?(?:other|more|further|additional|future) (?:help|"
        r"assistance|support|requests?|actions?|inquiries|changes|adjustments|tasks?)\b(?! (?:you|on|to)\b)",
        r"\b(?:feel free to|don't hesitate|do not hesitate)\b",
        r"\b(?:how|what)(?: else)? (?:can|may|could|might) (?:i|we) (?:be of )?(?:further |additional )?(?:help|"
        r"assist|service|do for)|\bhow (?:i|we) can (?:best |further )?(?:help|assist)",
        r"\blet (?:me|us) know if you(?:'d| would)? (?:ever )?(?:need|require|have|want|like)(?: any| some)?(?: more|"
        r" further)? ?(?:help|assistance|anything|questions?|concerns?)\b(?! (?:on|in|adding|finding|locating)\b)",
        r"\bif you(?:'d)? (?:need|like|want|require) (?:any |some )?(?:help|assistance)\b[^?]*\blet (?:me|us) know\b",
        r"\bif you (?:need|want|would like) (?:any |some )?(?:more|further|additional|other) [^?]{0,60}\blet (?:me|"
        r"us) know\b",
        r"\bif there(?:'s| is) (?:anything|something)\b",
        r"\b(?:is|was|will) that (?:be )?(?:all|everything)\b",
        r"\b(?:help|assistance) in the future\b",
        r"\b(?:good ?bye|bye|take care|safe travels|have an? (?:\w+ )?(?:day|evening|night|weekend|trip|flight|one|"
        r"time))\b",
        r"\benjoy (?:your|the)\b",
    ),
    heads=named(
        {
            "propose": (
                r"(?:would|do|did) you (?:still |also |then |now |instead |perhaps )*(?:like|want|wish|need|prefer|"
                r"care)\b(?! (?:me )?to (?:share|provide|give|tell))(?: (?:me|us) to| for (?:me|us) to)?",
                r"(?:would|wouldn't) you rather\b",
                r"(?:shall|should) (?:i|we)\b",
                r"(?:may|can|could) (?:i|we) (?:please |now |just )*(?:go ahead|proceed|book|cancel|refund|issue|"
                r"process|send|update|change|transfer|offer|apply|charge|start|place|make|submit|initiate|exchange|"
                r"return|add|remove|use|do|switch|upgrade|ship|replace|close|open|move|set|credit|connect|put|"
                r"schedule|interest)\b",
                r"(?:are|would|will) you (?:be )?(?:okay|ok|happy|fine|ready|comfortable|willing|good|open|"
                r"interested|sure|satisfied|agreeable|all set)\b",
                r"(?:is|are|does|do|would|will) (?:that|this|it|these|those|everything|all (?:of )?(?:this|that|"
                r"these)) (?:option |plan |all )?(?:be )?(?:okay|ok|fine|alright|all right|acceptable|good|work|suit|"
                r"sound|agreeable|look|satisfactory)\b",
                r"(?:sound|sounds|looks?) (?:good|ok|okay|right|fine)\b(?=\?)",
                r"^(?:ok|okay|alright|all right|sounds? good|agreed|deal)(?: with you)?\?|(?:(?:do|"
                r"would) you )?mind if (?:i|we)\b",
                r"if (?:that's|that is|it's|this is) (?:ok|okay|alright|fine|all right)\b",
                r"is it (?:okay|ok|fine|alright|all right|acceptable) (?:if|for|to|with)\b",
                r"do (?:you|i have your) (?:confirm|agree|authori[sz]e|approve|consent|accept|permission|"
                r"authori[sz]ation|approval|confirmation|go-ahead|give)\b",
                r"(?:ready|good|okay|ok|happy) to (?:proceed|go|continue)\b(?=[^.]*\?)",
                rf"(?:(?:{_CAN}|{_PLEASE}) )?let (?:me|us) know (?:{_IF}|when|as soon as) {_WANT}(?:(?: (?:me|"
                r"us))? to)?\b(?! (?:share|provide))",
                rf"let (?:me|us) know (?:{_IF} (?:i|we) (?:should|can|may|could)|when you(?:'re| are) ready)\b",
                rf"(?:(?:{_CAN}|{_PLEASE}) )?(?:just )?(?:say|tell (?:me|us)|specify|indicate|"
                rf"clarify) {_IF} (?:{_WANT}|i should)\b",
                rf"if {_WANT}(?:(?: (?:me|us))? to)?\b(?=[^?]*(?:\b(?:i|we) (?:can|could|will|would)|'ll\b|let (?:me|"
                r"us) know|please (?:confirm|reply|let|say)|reply\b|say\b|confirm\b))",
                r"(?:i|we) (?:can(?! only)|could|(?:'d| would) be (?:happy|glad) to)\b"
                r"(?=[^?.]*\bif you(?:'d)? (?:would )?(?:like|want|wish|prefer)\b)",
                r"(?:(?:please|kindly|just|simply|also) )*(?:reply|respond|answer|type|say|state|write|enter|select)"
                r"(?: back)?(?: with| by saying)? (?:explicitly )?(?:a )?(?:simple |clear )?[\"']*(?:yes|confirm|ok|"
                r"y|proceed|go ahead)\b",
                r"\(?(?:yes/no|yes or no|y/n)\b",
            ),
            "confirm": (
                rf"{_CAN} (?:explicitly )?(?:re-?)?confirm(?: for (?:me|us)| to (?:me|us)| with (?:me|us))?\b",
                rf"{_PLEASE} (?:explicitly )?(?:re-?)?confirm(?: for (?:me|us)| to (?:me|us))?\b",
                r"(?:^to|just to|first to|only to|wanted to|want to|like to) (?:re-?)?confirm\b(?=[^?]*\?)|"
                r"(?:need you to|you must|you should) confirm\b",
                r"(?:also|just|lastly|finally),? confirm (?=(?:that|if|whether|which|your|you)\b)",
                r"and confirm (?=(?:that|if|whether) you\b)|^(?:and )?confirm(?:ation of)?\b|(?:can|may|could) (?:i|"
                r"we) (?:just |please |quickly )*confirm(?: with you)?\b",
                rf"{_PLEASE} (?:provide|give)(?: me)?(?: with)?(?: your)?(?: explicit)? (?:confirmation|consent|"
                r"approval)s?\b",
                rf"{_I} need your (?:explicit |final )?(?:confirmation|approval|consent|permission|authori[sz]ation|"
                r"go-ahead)\b",
            ),
            "await": (
                r"(?:once|after|when|as soon as) (?:you(?:'ve| have)? confirm(?:ed)?|confirmed|(?:i|we) (?:have|get|"
                r"receive) your (?:explicit )?(?:confirmation|approval|consent))\b",
            ),
            "request": (
                rf"{_CAN} {_TELL}{_ME}\b",
                rf"{_PLEASE} {_TELL}{_ME}\b",
                rf"(?:and|also|then|or|just|either|to proceed,) {_SAY} (?:me|us|your|which|what|one|any|the|an?)\b",
                rf"^(?:just |also )?{_SAY} (?:me|us|your|which|what)\b",
                r"(?:may|can|could|might) (?:i|we) (?:please |also |just |kindly )*(?:have|get|ask|know|take|see|"
                r"grab|request|verify)(?: for)?\b",
                r"let (?:me|us) know\b|and(?= (?:if|whether) (?:it|this|that)\b)",
                r"(?:do|would) you mind (?:sharing|providing|telling|giving|confirming|sending|"
                rf"letting){_ME}(?: know)?\b",
                rf"would you like to (?:share|provide|give|tell){_ME}\b",
                r"(?:i|we)(?:'d| would) (?:like|love|need) to know\b|(?:i|we) (?:still )?need to know\b",
            ),
            "soft": (
                rf"{_I} (?:need|require|like|love|missing|waiting for|asking for)(?: you)?(?: to (?:have|know|get|"
                r"collect|gather|ask(?: for)?|provide|share|tell|give|send|verify(?= your\b)|"
                r"confirm(?! (?:\w+ ){0,3}?(?:details|points|things|whether|that|if)\b)))?\b(?! (?:you )?to\b)",
                r"(?:need|have|want|helpful|necessary|required|great|best|help|useful)(?: if you(?: (?:can|could))?|"
                r" for you)?(?: to)? (?:provide|give|share|tell|send|specify|know|have)\b",
                rf"(?:once|after|when|as soon as) (?:you(?:'ve| have)?|{_I} (?:have|get|receive|know))"
                rf"(?: (?:{_TELL}{_ME}|provided|given|shared|confirmed|told me|sent|found|have|know))?\b",
                r"if you (?!don|do not|can't|cannot)(?:(?:can|could|would|do|also|please|happen to) )*"
                rf"(?:have(?! access)|know|remember|recall|find|{_TELL}{_ME})\b",
                r"your (?=[\w ,]{2,40}(?:as well )?please\W*$)",
                r"(?:do|would|might) you (?:also |happen to |still |by any chance )*(?:have|know|remember|recall)\b",
                r"you (?:can|could|may) (?:also )?(?:provide|share|give|send|tell)\b",
                r"you(?:'ll| will| would)? (?:also )?(?:give|provide|need to provide) (?:me|us)?\b",
                r"(?:need|missing|without|awaiting) (?:your|the)\b",
            ),
            "act": (
                rf"{_PLEASE}(?: try to| make sure to)? (?!hold|wait|note|bear|be\b|allow|keep in mind|rest|see\b|"
                r"find\b|refer|remember|accept|don|do not|stay|stand|understand|reach|visit|contact|excuse|forgive|"
                r"expect|await|give me a|let\b|provided|to\b|feel|know\b|call\b|approach|disregard|ignore|keep|"
                r"review)[a-z]+\b",
                rf"{_CAN} (?!be\b|not\b|expect|see\b|find\b|also\b)[a-z]+\b(?=[^.]*\?)",
                r"^(?:\w+ (?:that|this),? |now,? |first,? |next,? |then,? )?(?:try|go|open|toggle|check|restart|"
                r"turn)\b(?=.*\blet (?:me|us) know\b)",
            ),
        }
    ),
    slots=named(
        {
            "order_id": (
                rf"orders?(?:'s?)? ?{_NO}(?!\w)",
                rf"(?:id|number)s? (?:of|for) {_YOUR} (?:\w+ )?orders?\b",
                r"(?:which|what)(?: (?:one )?of (?:these|your|the|those))?(?: \w+)? orders?\b",
                r"purchase (?:number|id)\b",
                r"order\b(?=\?)",
            ),
            "reservation_id": (
                rf"(?:reservation|booking|confirmation|itinerary|trip|ticket)s?(?:'s?)? ?{_NO}(?!\w)",
                rf"(?:id|number)s? (?:of|for) {_YOUR} (?:\w+ )?(?:reservation|booking)s?\b",
                r"(?:which|what)(?: (?:one )?of (?:these|your|the|those))?(?: \w+)? (?:reservation|booking)s?\b",
                r"record locator\b|pnr\b",
            ),
            "user_id": (
                rf"(?:user|customer|member(?:ship)?|client|loyalty|profile|frequent flyer)(?:'s)? ?{_NO}(?!\w)",
                r"user ?names?\b|account (?:id|name)\b|user(?=(?:,| and| or| &) \w+ ids?\b)",
            ),
            "account_number": (r"account (?:number|no\b)|iban\b",),
            "date_of_birth": (r"dates? of birth\b|birth ?dates?\b|birthdays?\b|dob\b|when were you born\b",),
            "email": (r"e[- ]?mails?\b(?! (?:confirmation|with|from))(?: address(?:es)?| id)?",),
            "phone": (
                r"(?:(?:tele)?phone|mobile|cell(?: ?phone)?|contact|callback|call-back)(?: phone)? ?numbers?\b",
                r"number (?:to (?:reach|call)|where|at which|we can|i can)\b|best number\b|telephone\b",
                r"(?<!on )(?<!with )\byour (?:cell ?)?phone(?= *(?:$|[,.?]| or | and ))|(?:and|or) phone(?= *(?:$|"
                r"[,.?]))|^phone$",
            ),
            "payment_method": (
                r"(?:payment|refund)(?:/refund| or refund)? ?(?:methods?|options?|details|information|types?|source|"
                r"ids?)(?: ids?)?\b",
                r"(?:method|form|mode|means) of payment\b",
                r"how (?:would|do|will|did|shall) (?:you|i|we) (?:like|want|wish|prefer|plan)? ?(?:to )?pay\b",
                r"(?:which|what) (?:\w+ )?cards?\b|(?:credit|debit|gift) cards?(?: ids?| numbers?| details)?\b",
            ),
            "security_answer": (
                r"security (?:question(?:'?s)? ?)?answers?\b|security question\b|maiden name\b|name of (?:the|"
                r"your) (?:\w+ )?(?:pet|school|street|teacher)\b",
            ),
            "pin": (r"pin(?: code| number)?\b|passcode\b",),
            "password": (r"password\b",),
            "postcode": (r"(?:zip|postal|post) ?codes?\b|zip\b",),
            "address": (
                r"(?<!ip )\baddress(?:es)?\b",
                r"where (?:should|shall|can|do|would) (?:i|we|you)(?: like| want)?(?: (?:me|us|it|this|"
                r"that))?(?: to)? (?:be )?(?:send|sent|ship|shipped|deliver|delivered)\b|where do you live\b",
            ),
            "name": (
                r"(?:first|last|full|legal|given|family|sur) ?(?:(?:and|or|&) (?:last|family|sur) ?)?names?\b",
                r"(?<!user )(?<!item )(?<!product )(?<!code or )(?<!file )(?<!brand )\bnames?\b(?! of (?:the|that|"
                r"your|this) (?:item|product|hotel|restaurant|company|store|airport|city|medication))",
                r"who am i (?:speaking|talking|chatting)|whom? (?:do i have|is this|am i)\b",
            ),
            "quantity": (
                r"how many\b|party size\b|quantity\b|how large is\b",
                r"number of (?:people|guests|passengers|items|bags|tickets|persons|nights|travell?ers|units|"
                r"checked bags)\b",
            ),
            "time": (
                r"(?:what|which) time\b|(?:arrival|departure|pick-?up|preferred|start|end) times?\b|^times?$",
                r"times? (?:would|should|do|works?|of (?:day|arrival|departure|the))\b|date and time\b",
            ),
            "date": (
                r"dates?\b(?! of birth)|(?:what|which) days?\b",
                r"when (?:did|was|were|would|do|does|will|are|is|should|exactly|you (?:bought|ordered|received|"
                r"placed|purchased|want|would|plan))\b",
            ),
            "reason": (r"(?<!security )(?<!safety )(?<!health )(?<!privacy )reasons?\b|why\b|what made you\b",),
            "amount": (
                r"(?:dollar |exact |total |refund )?amounts?\b|how much\b|(?:price|budget)(?: range)?\b(?! diff)",
                r"what (?:is|was) (?:the|your) (?:\w+ )?(?:price|cost|total)\b",
            ),
            "item": (
                r"(?:which|what|the|each|your|these|those|an?|specific) (?:[\w-]+ ){0,2}?(?:items?|products?|"
                r"articles?)\b(?: ids?| names?| numbers?)?|(?:item|product|article) ?(?:ids?|names?|numbers?|"
                r"codes?)?\b(?! (?:color|size))",
            ),
            "origin": (
                r"depart(?:ing|ure)? (?:from|city|cities|airports?|location)\b|origin\b|pick-?up (?:location|"
                r"point|address)\b",
                r"where (?:are|will|would) you (?:be |like to )*(?:leav|start|fly|com|depart|travel)\w* (?:from)\b",
                r"where (?:should|shall) (?:i|we|the \w+) pick you up\b|where from\b",
            ),
            "destination": (
                r"destinations?\b|drop-?off (?:location|point)\b|arrival (?:city|cities|airports?|"
                r"(?=and departure cit))\b|where to\b",
                r"where (?:do|would|are|will) you (?:want |like |wish |need |be )*(?:to )?(?:go|fly|travel|head|"
                r"going)\w*\b",
            ),
        }
    ),
    edge=any_of(r"[,;:—–/&+?]|\((?!s\))", r"\b(?:and|or|so|but|also|then|as well as|along with|together with|plus)\b"),
    aside=any_of(
        r"\b(?!along|together|details|information|info|any|all|some|one|both|each|which|copy|digits|number|part|list|"
        rf"confirmation)\w+ (?:of|on|with|about|regarding) (?:{_YOUR} )(?:\w+ ){{0,2}}$",
        rf"\b(?:want|wish|like|need|trying|going|able) to \w+ (?:{_YOUR} )?(?:\w+ ){{0,2}}$",
    ),
    purpose=any_of(
        r"\bso (?:that )?(?:i|we)\b",
        rf",? (?:and |then )?{_I} (?:can|could|will|proceed|look|check|get)\b|,? (?:and |then )?(?:i|we)(?:'ll|'d)\b",
        r", you(?:'ll| will| would|'d| can| may| might)\b",
        r"\b(?:in order )?to (?:proceed|continue|verify|look|locate|find|help|assist|check|complete|process|access|"
        r"authenticate|start|get|reset|see|confirm|cover|begin|finali[sz]e)\b",
        r"\b(?:before|because|since) (?:i|we)\b",
    ),
    wh=any_of(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b(?:'s)?"),
    pick=any_of(
        r"\b(?:which|what option|choose|select|pick|(?:what|preferred|an|one|your|following|other|these) options?|"
        r"either|both of|one of (?:these|them|the following))\b|(?P<weigh>\b(?:prefer|rather)\b)"
    ),
    consent=any_of(
        rf"^[\s,:]*+(?:{_IF} )?{_WANT}\b",
        rf"^[\s,:]*+{_IF} (?:i|we|this|these|those|it|the above|everything|all|that|they|i should)\b",
        r"^[\s,:]*+(?:to proceed|so (?:that )?(?:i|we)|and (?:i|we)|with|by|before|[\"']?yes\b|\(|if so|your choice|"
        r"or\b|here)",
        rf"^[\s,:]*+{_IF} the (?:details?|changes?|above|information|summary|booking|following)\b",
    ),
    summary=any_of(
        r"^[\s,:]*+(?:(?:the|these|this|those|all|that|both|everything|it|following|above|exact|action|booking|order|"
        r"updated|upgrade|exchange|cancellation|return) )*(?:details?|changes?|actions?|items|upgrades?|"
        r"cancellations?|exchange|return|refund|modifications?|request|booking|summary|points?|following|this|these|"
        r"that|both|all|it|below)?(?=[\s.!?:,;(–—-]*(?:above|below|so|by|to|before|are|is|and (?:i|we|the)|$|"
        r"[:,;(–—-]))",
    ),
    open_confirm=any_of(
        r"^[\s,:]*+(?:if|whether) (?!you(?:'d)? (?:would )?(?:like|want|wish)|i should)",
        r"^[\s,:]*+(?:for me )?(?:which|what|when|where|who|how|why)\b",
    ),
    assertion=any_of(r"^[\s,:]*+that\b"),
    condition=any_of(r"^[\s,:]*+(?:if|whether) (?!you(?:'d)? (?:have|know|remember|prefer))"),
    bare=any_of(
        r"^(?:once|after|when|as soon as) (?:you(?:'ve| have)? confirm(?:ed)?|confirmed|(?:i|we) (?:have|get|"
        r"receive) your (?:explicit )?(?:confirmation|approval|consent))\b",
        r"^(?:please |kindly |also,? |just |and )*(?:re-?)?confirm(?: (?:your choice|this|these|the details|"
        r"the above|it|with (?:a )?[\"']?yes[\"']?|by (?:replying|saying|typing).*|so (?:that )?(?:i|we).*|"
        r"to proceed|,? and i.*|how you.*|\(?yes(?:/| or )no\)?.{0,24}|if you'?d? (?:would )?(?:like|"
        r"want) to (?:proceed|continue)[\w ]{0,24}|before i proceed))?[^\w:]*$",
        r"^\W*(?:please |kindly |just |simply )*(?:reply|respond|answer|type|say)\b.{0,12}\byes\b.{0,40}$",
        r"^(?:would you like|do you want|are you ready|shall i|should i|may i|ready)(?: me)?(?: to)? ?(?:proceed|"
        r"continue|go ahead|do (?:that|this|so))(?: with (?:this|that|these|it))?\W*$",
        r"^is (?:this|that|everything|all of this) (?:correct|right|ok|okay)\W*$",
    ),
    follow_up=any_of(
        r"\bhow (?:you(?:'d| would| want| wish)?|would you|do you|should i)(?: like| want| wish| prefer)?(?: (?:me|"
        r"us))? ?(?:to )?(?:proceed|continue|move forward|handle)",
        r"\bwhat you(?:'d| would) (?:like|prefer)(?: (?:me|us))?(?: to do)?\W*$",
        r"\blet (?:me|us) know(?:[,.!:]| and\b| so\b| before\b|$)",
        r"\b(?:provide|share|send|give me|tell me|confirm) (?:me )?(?:with )?(?:those|these|them|that|this|it|"
        r"the (?:above|following|requested|necessary|required))\b",
        r"\blet (?:me|us) know (?:the|this) (?:details|information|above)|\blet (?:me|us) know (?:if|what|of|about|"
        r"which) (?:there are |there is |(?:you(?:'d| would)? (?:like|want|need|have|prefer|"
        r"wish) )?)?(?:to )?(?:make |see |request )?(?:any |the |some |something )?(?:other |further |different |"
        r"additional )?(?:changes?|adjustments?|corrections?|edits?|needs? (?:to )?(?:changing|be changed)|"
        r"(?:to )?(?:change|adjust|correct))",
        r"\bwhich (?:option|one) (?:you|would)\b|\bpreferred (?:option|choice)\b|\byour (?:choice|preference)\b",
        r"\b(?:provide|share|send) (?:me )?(?:with )?(?:all )?the (?:\w+ )?(?:details|information|info)\b",
        r"\btell (?:me|us) what (?:to|you'd like to) change\b",
        r"\bplease advise\b|\bplease (?:specify|clarify)\W*$",
        r"\b(?:need|require)s? (?:help|assistance|instructions|guidance)\b",
    ),
    pointer=any_of(
        r"\b(?:provide|share|send|give|tell|confirm) (?:me )?(?:with )?(?:those|these|them|that|it)\b(?: (?:details|"
        r"information|to me))?\W*$"
    ),
    tag=any_of(
        r"(?:,|—|–|-)\s*(?:is (?:that|this)|am i|right|correct|yes|ok(?:ay)?|isn't it|aren't you)[^,.?]{0,24}\?$",
        r"\b(?:is|are|does|do|did) (?:that|this|these|those|it|everything|all (?:of )?(?:this|that|these)|i (?:have|"
        r"get))[^,.?]{0,40}\b(?:correct(?:ly)?|right|accurate|match)\b",
    ),
    claim=any_of(
        r"^(?:so |and |ok(?:ay)?,? |also,? )*(?:is|are) (?!there|that|this|it\b|you)(?:.*) (?:your|the (?:right|"
        r"correct)|still your|still the)\b",
        r"^(?:so |and |ok(?:ay)?,? |also,? )*(?:is|are) your (?:\w+ ){1,3}?(?:still )?\S*\d",
    ),
    copula=any_of(
        r"(?: (?:on file|we have|i have|here|currently|address|for you|listed|number|still))*(?: (?:is|as|are|being|"
        r"=)|:)(?: still| listed as)? "
    ),
    either=any_of(r"\bor\s*$"),
    conjunction=any_of(
        r",? or (?!(?:do you have|would you like|is there|are there|do you want) (?:any|some)\b)(?=(?:would|should|"
        r"shall|do|is|are|will|can|could|to|an?|the|your|my|me|prefer|keep|wait|just|instead|for|as|by|with|on|in|at|"
        r"from|explore|cancel|change|exchange|return|refund|modify|store|one-way|round|one|business|economy|adjust|"
        r"travel\w*|perhaps|both|leave|choose|use|pick|switch|go|stay|continue|try|another|some other|\d+)\b"
        r"(?! (?:if|any|not)\b))(?!you)",
        r",? or (?=\([a-h1-9]\)|[\"'])",
        r",? or (?=[a-z]+ (?:to|the|your|an?|it|this|these|one|another|all|\d+)\b)(?!(?:if|any|let|you|not|some|"
        r"provide|tell)\b)",
        r" or (?=[\w-]+(?: [\w-]+){0,2}\?$)(?!not|any|something|so\b)",
    ),
    comma=any_of(r", "),
    polar=any_of(
        r"^(?:\w+,? )?(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should)\b(?! you have (?:your|"
        r"the|an)\b)"
    ),
    open_question=any_of(
        r"^(?:\w+,? )?(?:did|does|have|has|had|is there|are there|was|were|can you|could you|do you have|"
        r"do you (?:see|know|remember))\b",
        r"^[\s,:]*+(?:if|whether) (?:there|you (?:see|have|notice|know|find|get|hear)|any|your|the)\b",
    ),
    refusal=any_of(
        rf"\b{_I} (?:sorry,? (?:but )?)?(?:{_I} )?(?:unable|not able|not allowed|not permitted|not authori[sz]ed) to\b",
        r"\b(?:i|we) (?:can'?t|cannot|can not|won't(?: be able to)?|will not|must decline|do(?:n't| not) (?:offer|"
        r"have (?:the|a|any) (?:ability|way|means)))\b",
        rf"\b{_I} (?:could(?:n't| not)|(?:was|were)(?:n't| not) able to) (?!{_SEE})\w+\b[^:]*"
        rf"(?::|\b(?:because|since)\b)(?!.*{_BROKEN})",
        r"\b(?:is|are|would be|be)(?:n't| not) (?:possible|eligible|allowed|permitted|refundable|available for|"
        r"something (?:i|we) can)\b",
        r"\b(?:cannot|can't|can not) be (?:cancell?ed|modified|changed|refunded|removed|processed|returned|exchanged|"
        r"done|completed|applied|waived|offered|combined|transferred|upgraded|split|used for)\b",
        r"\b(?:policy|policies|rules|system)\b[^.]{0,40} (?:doesn't|does not|don't|do not|prohibits?|prevents?|"
        r"won't)\b",
        r"\b(?:unfortunately|sorry|afraid)\b[^.]* can only\b|\bpolicy\b[^.]* (?:i|we) can only\b|"
        r"\bcould not be \w+ because\b|\b(?:doesn't|does not|wouldn't|would not|don't|do not) qualify\b|"
        r"\bmust adhere to\b",
        r"\bnot (?:possible|eligible|refundable|permitted)\b|\b(?:is|are) (?:also )?non-refundable\b|\b(?:but|though|"
        r"and) not with \w+ing\b",
    ),
    setback=any_of(
        r"\b(?:can'?t|cannot|unable to|not able to|can not) (?:seem to )?(?:currently )?(?:find|locate|verify|see|"
        r"access|retrieve|get your|get the|look|authenticate|confirm|identify|match|guarantee|search|"
        r"understand|help but|wait|stress|thank)\b",
        r"\b(?:can'?t|cannot) (?:tell|say)(?: you)? (?:when|whether|if|how (?:long|soon)|exactly|for (?:sure|certain)|"
        r"from)\b|\b(?:can'?t|cannot) (?:tell|say) (?:what|which|who|why)\b",
        r"\b(?:until|without (?:your|the|a|that|this)|unless|before|\w+ yet(?=[.,]| as\b)|again)\b|^otherwise\b",
        r"^if\b",
    ),
)
