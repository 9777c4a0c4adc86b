"""English."""

from harness.users.recognise.language import Language, any_of, named

_CAN = r"(?:could|can|would|will|are|might) you(?: be able to)?(?:,? (?:please|kindly|also|just|perhaps|then))*,?"
_GIVE = (
    r"(?:re-?)?(?:provide|share|give|tell|send|specify|supply|enter|indicate|state|clarify|list|verify|double[- ]?check|check|"
    r"remind|describe|explain|mention|type|spell|choose|select|pick|identify|include|submit|pass|drop|advise|respond with|"
    r"reply with|let (?:me|us) know|help me (?:with|locate|find))"
)
_ME = r"(?: (?:me|us|that|it))?(?: (?:with|about|of))?"
_IF = r"(?:if|whether|that)"
_YOU_WANT = (
    r"(?:you(?:'d| would|’d)? (?:(?:still|also|really) )?(?:like|want|wish|agree|are (?:happy|ok|okay|fine|ready)|consent|"
    r"approve|authori[sz]e|prefer|accept)|you want)"
)
_ACT = r"(?: (?:me|us) to| to| that i| for me to)?"
_N = r"(?:ids?|numbers?|nos?\.?|codes?|#|references?|ref)"

ENGLISH = Language(
    code="en",
    marks=any_of(r"\b(?:the|your?|to|of|is|please|and|have|for|can|what|which|i|any)\b"),
    cues=any_of(
        r"\?",
        r"\b(?:please|could|can you|may i|might i|would you|let me know|need|require|once you|if you|reply|confirm|"
        r"tell me|give me|send me|provide|shall|should i|which|what|would like|would prefer|i'd like|if that|have to|say|"
        r"choose|select|feel free|try|waiting for)\b",
    ),
    closing=any_of(
        r"\banything (?:else|further|more)\b(?! (?:you (?:remember|know|can (?:tell|provide|share))))",
        r"\b(?:any|some|more|other|further) (?:(?:other|more|further|additional) )?(?:questions?|concerns?|queries)\b",
        r"\b(?:any|need|require|want|with) (?:any |some )?(?:other|more|further|additional|future) "
        r"(?:help|assistance|support|requests?|actions?|issues?|inquiries|information|details|changes|adjustments)\b"
        r"(?! (?:about|regarding|that|you|on|to))",
        r"\bfeel free to\b",
        r"\bdon['’]t hesitate\b|\bdo not hesitate\b",
        r"\bhow (?:else )?(?:can|may|could|might) (?:i|we) (?:be of )?(?:further )?(?:help|assist|service)",
        r"\bwhat (?:else )?(?:can|may|could) (?:i|we) (?:help|assist|do for)",
        r"\blet me know if (?:you(?:'d| would|’d)? )?(?:ever )?(?:need|require|have|like|want)?(?: any(?:thing)?| some)?"
        r"(?: (?:more|further))? ?(?:help|assistance|anything|questions?|concerns?)\b",
        r"\bif there(?:'s| is|’s) anything\b",
        r"\b(?:is|was) that (?:all|everything)\b",
        r"\bneed assistance in the future\b",
        r"\bwhat (?:brings you|would you like help with)\b",
    ),
    heads=named(
        {
            "propose": [
                rf"\b(?:would|do|did) you (?:still |also |then |now )?(?:like|want|wish|need|prefer|care){_ACT}\b(?! (?:know|share|provide))",
                r"\b(?:shall|should) (?:i|we)\b",
                r"\b(?:may|can|could) (?:i|we) (?:please )?(?:go ahead|proceed|book|cancel|refund|issue|process|send|update|"
                r"change|transfer|offer|apply|charge|start|place|make|submit|initiate|exchange|return|add|remove|use|do)\b",
                r"\b(?:are|would) you (?:be )?(?:okay|ok|happy|fine|ready|comfortable|willing|good|open|interested|sure|satisfied|agreeable)\b",
                r"\b(?:is|are|does|do|would|will) (?:that|this|it|these|those|everything|all (?:of )?(?:this|that|these)) "
                r"(?:be )?(?:okay|ok|fine|alright|all right|acceptable|good|work|suit|sound|agreeable|look good)\b",
                r"\bdo you (?:confirm|agree|authori[sz]e|approve|consent|accept|give)\b",
                r"\b(?:ready|good|okay|ok) to (?:proceed|go|continue)\b(?=.*\?)",
                rf"\blet (?:me|us) know (?:{_IF}|when) {_YOU_WANT}{_ACT}\b(?! (?:know|share|provide))",
                rf"\blet (?:me|us) know {_IF} (?:i|we) (?:should|can|may|could)\b",
                rf"\b(?:just )?(?:say|tell me|let me know) (?:{_IF}|when) (?:you are|you're|i should)\b",
                rf"\bif {_YOU_WANT}{_ACT}\b(?=[^?]*\b(?:i can|i could|i'll|i will|we can|let me know|please (?:confirm|reply|let)|reply|say|confirm)\b)",
                r"\b(?:i|we) (?:can|could|'d be happy to|would be happy to)\b(?=[^?.]*\bif (?:you(?:'d| would|’d)? (?:like|want|wish|prefer)|that|you wish))",
                r"\b(?:reply|respond|answer|type|say|write|enter)(?: back)?(?: with)? (?:a )?(?:simple )?['\"“‘*]*(?:yes|confirm|ok|y|proceed|go ahead)\b",
                r"\b(?:yes/no|yes or no|y/n|\(yes\))",
            ],
            "confirm": [
                rf"{_CAN} (?:re-?)?confirm(?: for me)?\b",
                r"\b(?:please|kindly|just|also|first|to|you)(?: \w+)? (?:re-?)?confirm\b(?! the cancellation was)",
                r"^confirm\b",
                r"\b(?:i|we)(?:'ll| will|'d| would)? (?:just )?(?:need|require|like)(?: you)?(?: to)? (?:confirm|verify)\b",
            ],
            "request": [
                rf"{_CAN} {_GIVE}{_ME}\b",
                rf"\b(?:please|kindly)(?: (?:also|then|just|kindly|either|first|now|go ahead and))* {_GIVE}{_ME}\b",
                rf"\b(?:and|also|then|or|just|either) {_GIVE} (?:me|us)\b|^(?:just |also )?{_GIVE} (?:me|us|your|which|what)\b",
                r"\b(?:may|can|could|might) (?:i|we) (?:please |also |just |kindly )*(?:have|get|ask|know|take|see|grab|request)(?: for)?\b",
                rf"\blet (?:me|us) know\b",
                r"\b(?:do you mind|would you mind) (?:sharing|providing|telling|giving|confirming|sending|letting me know)\b",
                rf"\bwould you like to (?:share|provide)\b",
                r"\bi (?:need|want) to know\b",
            ],
            "soft": [
                r"\b(?:i|we)(?:'ll| will|'d|’ll|’d| would)?(?: (?:also|just|still|first|then|only))* "
                r"(?:need|require|like|love)(?: to (?:have|know|get|collect|gather|ask(?: for)?|verify))?\b",
                r"\b(?:you(?:'ll| will)?(?: \w+)? (?:need|have)) to (?:provide|give|share|tell|send|specify)\b",
                r"\b(?:once|after|when|as soon as) (?:you(?:'ve| have|’ve)?|i (?:have|get|receive)|we (?:have|get|receive))\b",
                rf"\bif you (?:can|could|would|have|know|remember|recall|{_GIVE})(?: (?:please|also|kindly))*(?: (?:{_GIVE}){_ME})?\b",
                r"\b(?:do|would) you (?:also |happen to |still )*(?:have|know|remember|recall)\b",
                r"\bneed (?:your|the)\b",
            ],
            "act": [
                r"\b(?:please|kindly)(?: (?:also|then|just|now|first|go ahead and|try to))* "
                r"(?!hold|wait|note|bear|be (?:aware|advised|assured|patient)|allow|keep in mind|rest|see |find |refer|remember|"
                r"accept|don|do not|give me (?:a|one)|stay|stand|understand|reach|visit|contact|excuse|forgive|expect|await)[a-z]+\b",
                rf"{_CAN} [a-z]+\b",
                r"^(?:try|go|open|toggle|check|restart|turn)\b(?=.*\blet me know\b)",
            ],
        }
    ),
    slots=named(
        {
            "order_id": rf"\border(?:['’]s)? ?(?:{_N})(?!\w)|\b(?:id|number)s? (?:of|for) (?:the|your|that|this|each|which) orders?\b"
            r"|\bwhich (?:of (?:these|your|the|those) )?(?:\w+ )?orders?\b|\bpurchase (?:number|id)\b",
            "reservation_id": rf"\b(?:reservation|booking|confirmation|itinerary|trip|ticket)(?:['’]s)? ?{_N}(?!\w)|\brecord locator\b|\bpnr\b"
            r"|\bwhich (?:of (?:these|your|the|those) )?(?:\w+ )?(?:reservation|booking)s?\b|\b(?:id|number)s? (?:of|for) (?:the|your|each|which) (?:reservation|booking)s?\b",
            "user_id": rf"\b(?:user|customer|member(?:ship)?|client|loyalty|profile|frequent flyer)(?:['’]s)? ?(?:{_N})(?!\w)|\buser ?names?\b"
            r"|\baccount (?:id|name)\b|\buser(?=(?:,| and| or) \w+ ids?\b)",
            "account_number": r"\baccount (?:number|no\b)|\biban\b",
            "date_of_birth": r"\bdates? of birth\b|\bbirth ?dates?\b|\bbirthday\b|\bdob\b|\bwhen were you born\b",
            "email": r"\be[- ]?mails?\b(?! (?:confirmation|with))(?: address(?:es)?| id)?",
            "phone": r"\b(?:(?:tele)?phone|mobile|cell(?:phone)?|contact|callback)(?: phone)? ?numbers?\b|\bnumber (?:to|where|at which|we can|i can)\b|\b(?:tele)?phone\b(?!['’]s)(?= *(?:$|[,.?]| or| and))",
            "payment_method": r"\b(?:payment|refund)(?:/refund| or refund)? ?(?:methods?|options?|details|information|type|source)\b|\bmethod of payment\b"
            r"|\bhow (?:would|do|will|did) you (?:like|want|wish|prefer|plan)? ?(?:to )?pay\b|\bwhich (?:credit |debit |gift )?card\b|\b(?:credit|debit|gift) card(?: ids?| numbers?| details)?\b",
            "security_answer": r"\bsecurity (?:question(?:'s)? )?answers?\b|\bsecurity question\b|\bmaiden name\b",
            "pin": r"\bpin(?: code| number)?\b|\bpasscode\b",
            "password": r"\bpassword\b",
            "postcode": r"\b(?:zip|postal|post) ?codes?\b|\bzip\b",
            "address": r"\baddress(?:es)?\b|\bwhere (?:should|shall|can|do|would) (?:i|we|you)(?: like(?: me)?| want(?: me)?)?(?: to)? (?:send|ship|deliver)\b",
            "name": r"\b(?:first|last|full|legal|given|family|sur) ?(?:and last )?names?\b|(?<!user )(?<!item )(?<!product )\bnames?\b(?! of (?:the|that|your) (?:item|product|hotel|restaurant|company|store))|\bwho am i (?:speaking|talking|chatting)",
            "quantity": r"\bhow many\b|\bnumber of (?:people|guests|passengers|items|bags|tickets|persons|nights)\b|\bparty size\b|\bquantity\b",
            "time": r"\bwhat time\b|\btimes?\b(?= (?:of|would|should|do|you|works?))|\bpreferred times?\b",
            "date": r"\bdates?\b|\bwhen (?:did|was|were|would|do|does|will|are|is|should|exactly)\b|\b(?:what|which) day\b",
            "reason": r"\breasons?\b|\bwhy\b",
            "amount": r"\bamounts?\b|\bhow much\b|\b(?:what|your) (?:is the |is your |was the )?(?:price|cost|total|budget)\b|\bbudget\b|\bprice range\b",
            "item": r"\b(?:which|what|the|each|name of the|your) (?:\w+ )?(?:items?|products?|articles?)\b(?: ids?| names?)?|\bitem (?:ids?|names?|numbers?)\b|\bproduct (?:ids?|names?|numbers?)\b",
            "origin": r"\bdepart(?:ing|ure)? (?:from|city|airport|location)\b|\borigin\b|\bwhere (?:are|will) you (?:be )?(?:leaving|starting|flying from|coming from)\b|\bpick-?up (?:location|point|address)\b",
            "destination": r"\bdestination\b|\bwhere (?:do|would|are|will) you (?:want|like|wish|going|need|be going)?(?: to)? ?(?:go|fly|travel|headed|heading|going)\b|\bdrop-?off (?:location|point)\b",
        }
    ),
    purpose=any_of(
        r"\bso (?:that )?(?:i|we)\b",
        r",? (?:and )?(?:i|we)(?:'ll|’ll| will| can| would)\b",
        r"\b(?:in order )?to (?:proceed|continue|verify|look|locate|find|help|assist|check|complete|process|access|authenticate|start|get|reset|see)\b",
        r"\bbefore (?:i|we)\b",
        r"\bassociated with\b|\blinked to\b|\bon file\b",
        r"\bfor the (?:flight|order|reservation|trip|booking|item)\b",
        r"\bthis (?:will|helps|information)\b",
    ),
    wh=any_of(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b(?:'s|’s)?"),
    consent=any_of(
        rf"^[\s,:]*(?:{_IF} )?{_YOU_WANT}",
        r"^[\s,:]*(?:if|whether|that) (?:i|we|this|these|everything|it|the|all)\b",
        r"^[\s,:]*(?:to proceed|so (?:that )?(?:i|we)|and (?:i|we)|with|by|before|yes|\(|if so|your choice|or )",
        r"^[\s,:]*(?:the|these|this|those|all|that|both|everything|my|your|it)? ?(?:following |above |exact |action |booking |order |updated |upgrade |exchange |cancellation |return )*"
        r"(?:details?|changes?|actions?|information|items|upgrades?|cancellations?|exchange|return|refund|modifications?|request|booking|summary|points)?\s*(?:above|below|with|so|by|to|before|are|is|and (?:i|we)|$|[.!?:,;(–—-])",
    ),
    follow_up=any_of(
        r"how (?:you(?:'d|’d| would| want| wish)?|would you|do you)(?: like| want| wish| prefer)?(?: me)? ?to (?:proceed|continue|move forward|handle)",
        r"what you(?:'d|’d| would) (?:like|prefer)(?: me)?(?: to do)?\W*$",
        r"let me know\W*$",
        r"(?:which|what) (?:one|option|of these|you(?:'d|’d| would)? prefer)",
    ),
    tag=any_of(
        r"(?:,|\bis (?:that|this)|\bare (?:these|those)|\bis (?:all of )?(?:this|that)|\bam i|\bdo i have (?:that|it)|\bdid i get (?:that|it))"
        r"[^,.?]{0,30}\b(?:correct|right|accurate|yes)\s*\?",
    ),
    claim=any_of(r"^(?:so |and |ok,? )?(?:is|are) .*\b(?:your|the (?:right|correct))\b"),
    either=any_of(
        r",? or (?!not\b|let me|if you|any\b|would you like to make|provide|have\b|need\b)|, (?=[^,]+,? or )"
    ),
    refusal=any_of(
        r"\b(?:i|we)(?:'m| am|’m|'re| are|’re)? ?(?:sorry,? )?(?:but )?(?:i |we )?(?:am |are )?(?:unable to|not able to|not allowed to|not permitted to|not authori[sz]ed to)\b",
        r"\b(?:i|we) (?:can['’]?t|cannot|can not|won['’]t|will not|am not going to|must decline)\b",
        r"\b(?:isn['’]t|is not|aren['’]t|are not|not|wouldn['’]t be) (?:possible|eligible|allowed|permitted|refundable|an option)\b",
        r"\b(?:cannot|can['’]t|can not) be (?:cancell?ed|modified|changed|refunded|removed|processed|returned|exchanged|done|completed|applied)\b",
        r"\b(?:policy|policies|rules)[^.]{0,40} (?:do(?:es)?n['’]t|do(?:es)? not|prohibits?|prevents?) (?:allow|permit)?",
    ),
    setback=any_of(
        r"\b(?:find|locate|verify|see|access|retrieve|look up|authenticate|confirm|identify|match|tell|say|guarantee)\b",
        r"\b(?:until|without|unless|before|first)\b",
    ),
)
