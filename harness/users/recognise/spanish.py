"""Spanish, of Spain and of Latin America: usted, tú and vos."""

from harness.users.recognise.language import Language, any_of, named, words

_ME = r"(?:me |nos )?"
_POLITE = r"(?:por favor,? |también |además |simplemente |antes |primero |amablemente |solo |sólo )*"
_CAN = (
    r"(?:(?:podr[íi]a[sn]?|puede[sn]?|podés|quiere[sn]?|quisiera[sn]?|sería tan amable de|serías tan amable de|"
    rf"tendría la amabilidad de|le importaría|te importaría),? {_POLITE})"
)
_TELL = (
    r"(?:dar|decir|indicar|proporcionar|facilitar|enviar|mandar|compartir|especificar|pasar|brindar|escribir|aclarar|"
    r"confirmar|verificar|comprobar|revisar|repetir|detallar|describir|explicar|contar|mencionar|señalar|elegir|"
    r"escoger|seleccionar|comentar)(?:me|nos|melo|noslo)?"
)
_TELL_NOW = (
    r"(?:(?:d[íi]ga|d[íi]|d[ée]|indíque|indíca|proporci[oó]ne|proporci[oó]na|facilíte|facilíta|envíe|envía|mánde|"
    r"mánda|compárta|compárte|especifíque|pása|páse|brínde|escríba|escríbe|acláre|aclára|verifíque|cuénte|cuénta|"
    r"comente|coménte|coménta|comuníque|avíse|avísa|hága|ház|déje|déja|repíta|repíte|recuérde|describ|descríba|"
    r"descríbe|explíque|explíca|detálle|muéstre|muéstra)(?:me|nos)(?:lo)?(?: saber)?(?! un(?:os)? (?:minut|moment|"
    r"segund|instant))|(?:hazme|dame|dime|háznos|dinos|danos) ?(?:saber)?|(?:indique|proporcione|facilite|comparta|"
    r"especifique|escriba|aclare|verifique|compruebe|revise|detalle|describa|explique|mencione|señale|elija|escoja|"
    r"seleccione|comente|introduzca)|(?<=por favor )(?:indica|proporciona|facilita|envía|comparte|especifica|escribe|"
    r"verifica|revisa|describe|explica|elige|escoge|selecciona))"
)
_WANT = (
    r"(?:desea[sn]?|quiere[sn]?|quieres|querés|le gustaría|te gustaría|les gustaría|prefiere[sn]?|está de acuerdo|"
    r"estás de acuerdo|acepta[sn]?|autoriza[sn]?)"
)
_ACT = (
    r"(?:procedo|proceder|proceda|procedamos|continúo|continuar|continúe|sigo|siga|tramito|tramitar|tramite|"
    r"reembols\w+|cancel\w+|cambi\w+|devolv\w+|devuelv\w+|enví\w+|envi\w+|emit\w+|modific\w+|actuali[cz]\w+|"
    r"reserv\w+|aplic\w+|carg\w+|realiz\w+|hag\w+|hac\w+|transfier\w+|transfer\w+|pas[eo]\b|abon\w+|reemplaz\w+|"
    r"sustitu\w+|añad\w+|agreg\w+|elimin\w+|registr\w+|inici\w+|confirm\w+|crea\w*|gestion\w+|program\w+|us[oe]\b|"
    r"ayud\w+)"
)
_YOUR = r"(?:su|tu|el|la|los|las|sus|tus|del|de la|de su|de tu|un|una)"
_NO = r"(?:n[úu]mero|n[úu]m\.?|nº|c[óo]digo|identificador|id|referencia|localizador)s?"

SPANISH = Language(
    code="es",
    marks=words(
        "¿ ¡ y o el la los las de del que en su tu sus para por con una un es le te me se si al lo cuál qué "
        "como cómo puede "
        "puedo podría gracias pedido correo desea quiere algo más nombre número favor hola está ha usted"
    ),
    cues=any_of(
        r"[?¿]",
        r"\b(?:por favor|podr[íi]a|puede|podés|necesit|neces|indi[qc]|d[íi]ga|dime|dame|d[ée]me|confirm|prop|facilit|"
        r"env[íi]|comparta|comparte|respond|escrib|avís|si |cuando|una vez|elij|elig|escoj|seleccion|hágame|hazme|"
        r"háganos|déjeme|quedo|estoy|estamos|no dude|no dudes|adi[óo]s|hasta|que tenga|que tengas|buen|feliz|"
        r"me falta|haría falta|requier|pruebe|prueba|intente|intenta|reinici|veri|revis|compr|expl[íi]|descr[íi]b|"
        r"det[áa]ll|mu[ée]str|cu[ée]nt)",
    ),
    closing=any_of(
        r"\b(?:algo|alguna cosa|alguna otra cosa|otra cosa) más\b|\balguna otra (?:cosa|duda|consulta|pregunta|"
        r"solicitud)\b",
        r"\b(?:en qué|cómo) (?:más )?(?:le |te |lo |la |les )?(?:puedo|podemos|podría)(?: ayudar| asistir| servir)",
        r"\b(?:más|otras?|alguna|cualquier|otra) (?:otra )?(?:dudas?|preguntas?|consultas?|inquietud(?:es)?|ayuda|"
        r"asistencia)\b",
        r"\bno dud(?:e|es|en) en\b|\bquedo a (?:su|tu) disposición\b|\bestoy (?:aquí )?(?:para ayudar|a (?:su|"
        r"tu) disposición)",
        r"\bestamos (?:aquí )?(?:para ayudar|a (?:su|tu) disposición)|\bnecesita[s]? (?:algo|más ayuda|ayuda con algo)",
        r"\b(?:adi[óo]s|hasta (?:luego|pronto|la próxima)|que (?:tenga|tengas|pase|pases) (?:un|una|buen)|"
        r"buen (?:día|viaje|fin)|feliz (?:día|viaje))\b",
        r"\beso (?:sería|es) todo\b|\bpuedo ayudar(?:le|te|lo|la)? (?:en|con) algo\b",
    ),
    heads=named(
        {
            "propose": (
                rf"(?:si )?{_WANT} (?:usted )?(?:que )?(?:yo )?{_ME}(?:lo |la |le |te |se |los |las )*(?={_ACT}|(?:un|"
                r"una|el|la|los|las|recibir|seguir|usar|mantener|conservar|optar|agendar|hablar|ver|esperar|pagar|"
                r"incluir|ir|viajar|instrucciones|que)\b)",
                r"^¿?(?:(?:se|le|te|lo|la|los|las|les) )+\w+o\b(?=[^.]*\?)",
                r"(?:le |te |les )?(?:parece bien|va bien|viene bien|conviene|sirve|funciona)\b(?=[^.]*\?)",
                rf"(?:puedo|podemos|debo|debería|procedo|procedemos)(?: a)?(?: (?:lo|la|le|te|se))* ?(?={_ACT}|\?|"
                r"con)(?=[^.]*\?)",
                r"(?<=¿)(?:procedo|continúo|sigo adelante|lo cancelo|la cancelo|lo cambio|lo tramito|lo hago|hago|"
                r"cancelo|reembolso|tramito|envío|cambio|reservo|aplico|emito|gestiono|añado|le envío|le reembolso|"
                r"te envío|te reembolso|le cambio)\b(?=[^.]*\?)",
                r"(?:está|estás|estaría|estarías|están) (?:usted )?(?:de acuerdo|conforme|listo|lista|dispuest[oa]|"
                r"segur[oa])\b",
                r"(?:me|nos) (?:autoriza|autorizas|confirma que quiere|confirmas que quieres|da permiso|das permiso|"
                r"permite)\b",
                r"(?:responda|responde|conteste|contesta|escriba|escribe|diga|dígame|dime|"
                r"indique)(?: con)?(?: un)? [\"'«]*(?:sí|si|sí o no)\b",
                r"\(?(?:sí/no|si/no|sí o no|s/n)\b",
                r"si (?:usted )?(?:lo |así lo )?(?:desea|deseas|quiere|quieres|prefiere|prefieres|le parece bien|"
                r"te parece bien|está de acuerdo|estás de acuerdo)\b(?=[^?]*\b(?:puedo|podemos|podría|responda|"
                r"responde|confirm|avíseme|dígame|dime|hágamelo|házmelo))",
                r"(?:puedo|podemos|podría) (?=[^?.]*\bsi (?:lo |así lo |usted )?(?:desea|deseas|quiere|quieres|"
                r"prefiere)\b)",
            ),
            "confirm": (
                rf"{_CAN}{_ME}confirmar(?:me|nos)?\b",
                r"(?:por favor,? )?(?:confirme|confirma|confírmeme|confírmame|confírme|confírmenos|confirmad|"
                r"me confirma|me confirmas|nos confirma)\b",
                r"(?:para|quisiera|quiero|necesito|antes de nada,|solo para|debo) confirmar\b",
                r"(?:necesito|requiero) (?:su|tu) (?:confirmación|autorización|consentimiento|aprobación)\b",
            ),
            "await": (r"(?:una vez que|cuando|en cuanto) (?:me |lo |nos )*(?:confirme|confirmes)\b",),
            "request": (
                rf"{_CAN}{_ME}{_TELL}\b",
                rf"(?:por favor,? )?(?:y |también |además |me |nos )*{_TELL_NOW}(?: por favor)?\b",
                r"(?:me|nos) (?:puede|puedes|podría|podrías|da|das|dice|dices|indica|indicas|facilita|facilitas|"
                rf"proporciona|envía|envías|pasa|pasas|comparte|compartes|dejas|deja)(?: {_TELL})?\b",
                r"(?:puedo|podría|podemos) (?:saber|preguntar(?:le|te)?|pedir(?:le|te)?|tener)\b",
                r"le importa decirme\b|te importa decirme\b",
            ),
            "soft": (
                r"(?:(?:me|nos) )?(?:necesito|necesitaré|necesitaría|necesitamos|necesitaremos|requiero|requerimos|"
                r"hace falta|haría falta|falta|faltaría)(?: que (?:me |nos )?(?:indique|indiques|proporcione|"
                r"proporciones|facilite|facilites|diga|digas|dé|des|envíe|envíes|comparta|confirme))?(?: (?:saber|"
                r"conocer|tener|también|además))*\b",
                r"(?:una vez que|cuando|en cuanto|tan pronto como|después de que) (?:me |nos |usted |tenga )*"
                r"(?:indique|indiques|proporcione|proporciones|facilite|facilites|diga|digas|dé|des|envíe|envíes|"
                r"tenga|tengas|comparta)?\b",
                r"si (?!no )(?:me |nos |usted )*(?:puede|puedes|pudiera|podría|recuerda|recuerdas|tiene|tienes|sabe|"
                rf"sabes|indica|indicas|facilita|facilitas|proporciona|da|das)(?: {_TELL})?\b",
                r"(?:tiene|tienes|recuerda|recuerdas|sabe|sabes|conoce|conoces|dispone de) (?:usted )?(?:a mano )?",
            ),
            "act": (
                r"(?:por favor,? )(?!espere|espera|tenga|ten\b|no\b|disculpe|perdone|aguarde|manténg|permanezca|tome|"
                r"consulte|recuerde|permíta|un\b)[a-záéíóúñ]+\b",
                rf"{_CAN}(?!ser\b|ver\b|tardar)[a-záéíóúñ]+r(?:me|lo|la|nos)?\b(?=[^.]*\?)",
                r"^(?:pruebe|prueba|intente|intenta|reinicie|reinicia|vaya|ve|abra|abre)\b(?=.*(?:avís|dígame|dime|"
                r"cuén))",
            ),
        }
    ),
    slots=named(
        {
            "order_id": (
                rf"{_NO} (?:de |del |de su |de tu )?(?:pedido|compra|orden)s?\b|{_NO} (?:del|de la|de su|"
                r"de tu) (?:pedido|orden|compra)s?\b",
                r"(?:qué|cuál)(?: es el| de (?:los|sus|tus))? (?:pedidos?|[óo]rden(?:es)?)\b|pedido(?=\?)|order id\b|"
                r"n[úu]mero y fecha de(?:l)? pedido\b",
            ),
            "reservation_id": (
                rf"{_NO} (?:de |del |de la |de su |de tu )*(?:reserva|reservación|confirmación|vuelo reservado|"
                r"billete)s?\b|localizador(?:es)?\b|(?:qué|cuál)(?: es la| de (?:las|sus|tus))? reservas?\b",
            ),
            "user_id": (
                rf"{_NO} (?:de |del )?(?:cliente|usuario|socio|miembro|afiliado)\b|nombre de usuario\b|usuario\b|"
                r"customer id\b",
            ),
            "account_number": (rf"{_NO} (?:de |de la |de su |de tu )?cuenta\b|iban\b",),
            "date_of_birth": (r"fechas? de nacimiento\b|cumpleaños\b|cuándo naci[óo]\b",),
            "email": (r"(?:dirección (?:de )?)?(?:correos?(?: electrónicos?)?|e-?mails?|mails?)\b(?: de contacto)?",),
            "phone": (
                r"(?:n[úu]mero (?:de |del )?)?(?:teléfonos?|telefonos?|móvil|"
                r"celular)(?: de contacto)?\b(?! de atención)|n[úu]mero de contacto\b",
            ),
            "payment_method": (
                r"(?:método|forma|medio|modo)s? de (?:pago|reembolso)\b|cómo (?:desea|quiere|prefiere|"
                r"le gustaría)s? pagar\b|(?:qué|cuál) tarjeta\b|n[úu]mero de (?:la |su |tu )?tarjeta\b|"
                r"datos (?:de pago|de la tarjeta|bancarios)\b",
            ),
            "security_answer": (r"pregunta de seguridad\b|respuesta de seguridad\b",),
            "pin": (r"pin\b",),
            "password": (r"contraseña\b|clave\b",),
            "postcode": (r"código postal\b|c\.?p\.?(?!\w)",),
            "address": (
                r"(?:dirección|direccion|domicilio)(?: de (?:envío|entrega|facturación|su casa))?(?: completa)?\b|"
                r"(?:a )?dónde (?:quiere|desea|prefiere|le gustaría|debo|debemos)[^?]{0,30}(?:envi|entreg|mand)\w+|"
                r"dónde vive\b",
            ),
            "name": (
                r"nombres?(?: y (?:los |sus |el )?apellidos?| completo)*\b(?! de(?:l)? (?:producto|artículo|hotel|"
                r"usuario|restaurante))|apellidos?\b|con quién (?:hablo|tengo el gusto)\b|cómo se llama\b|"
                r"cómo te llamas\b|a nombre de quién\b",
            ),
            "quantity": (
                r"cuánt[oa]s\b|cantidad\b|n[úu]mero de (?:personas|pasajeros|huéspedes|artículos|unidades|noches)\b",
            ),
            "time": (r"(?:a )?qué hora\b|horario\b|hora (?:de|preferida)\b|^hora$",),
            "date": (r"fechas?\b|(?:qué|cuál) día\b|cuándo\b",),
            "reason": (r"motivos?\b|razón\b|razones\b|por qué\b|causa\b",),
            "amount": (r"importes?\b|cuánto\b|monto\b|precio\b|presupuesto\b|cantidad de dinero\b",),
            "item": (
                r"(?:qué|cuál(?: es)?|el|los|del|nombre del|un)(?: el| de los)? (?:artículos?|productos?|ítems?)\b|"
                r"(?:artículos?|productos?)\b",
            ),
            "origin": (
                r"(?:ciudad|aeropuerto) de (?:origen|salida)\b|origen\b|desde dónde\b|de dónde (?:sale|sales|viaja|"
                r"parte)\b",
            ),
            "destination": (
                r"(?:ciudad|aeropuerto) de destino\b|destino\b|(?:a|hacia) ?dónde (?:viaja|quiere|desea|"
                r"va)[^?]{0,12}\b",
            ),
        }
    ),
    edge=any_of(r"[,;:—–/&+?¿(]", r"\b(?:y|e|o|u|pero|así como|junto con|además de|también|luego)\b"),
    aside=any_of(
        r"\b(?:color|talla|tamaño|estado|modelo|foto|fotografía) (?:de |del |de la |de los |de su )?(?:\w+ ){0,1}$"
    ),
    purpose=any_of(
        r"\bpara (?:que |poder |así |de esa |verificar|buscar|localizar|ayudar|comprobar|procesar|continuar|revisar|"
        r"proceder|tramitar|encontrar|acceder|ver\b)",
        r"\b(?:y |así )(?:lo |la |le |te )*(?:podré|puedo|podemos|reviso|revisaré|busco|procederé|verifico|tramito|"
        r"tramitaré|haré)\b",
        r"\bantes de\b|\basociad[oa]s? (?:a|con)\b|\bcon (?:el|la) que (?:hizo|realizó|se registró|compró|hiciste)\b",
    ),
    wh=any_of(r"\b(?:qué|que|cuál|cuáles|cual|quién|quien|cuándo|dónde|adónde|cómo|cuánt[oa]s?|por qué|por que)\b"),
    pick=any_of(
        r"\b(?:cuál|cuáles|qué opción|qué (?:prefiere|prefieres)|elija|elige|elegir|escoja|escoge|seleccione|"
        r"selecciona|opción|opciones|de las siguientes)\b|(?P<weigh>\bprefier)"
    ),
    consent=any_of(
        rf"^[\s,:]*+(?:si |que )?(?:usted )?{_WANT}",
        r"^[\s,:]*+(?:si|que) (?:procedo|puedo|debo|todo|esto|es correcto|está(?:n)? (?:bien|correct)|los datos|"
        r"procedamos|continúo|quiere|la información)\b",
        r"^[\s,:]*+(?:para (?:proceder|continuar|que)|y (?:procedo|lo|procederé|continúo|tramito)|"
        r"con (?:un )?[\"'«]?sí|sí\b|\(|su elección)",
    ),
    summary=any_of(
        r"^[\s,:]*+(?:(?:los|las|el|la|estos|estas|este|esta|todos|todas|sus|tus|siguientes|lo) )*(?:datos|detalles|"
        r"cambios?|cancelación|devolución|reembolso|solicitud|información|reserva|resumen|operación|anteriores|"
        r"anterior)?(?=[\s.!?:,;(–—-]*(?:anteriores|anterior|siguientes|son|es|está|para|y (?:procedo|lo|procederé)|"
        r"$|[:,;(–—-]))",
    ),
    open_confirm=any_of(
        r"^[\s,:]*+si (?!desea|quiere|le gustaría|te gustaría|prefiere)",
        r"^[\s,:]*+(?:qué|cuál|cuáles|cuándo|dónde|quién|cómo|por qué|cuánt)",
    ),
    assertion=any_of(r"^[\s,:]*+que\b"),
    condition=any_of(r"^[\s,:]*+si (?!(?:usted )?(?:tiene|tienes|recuerda|recuerdas|sabe|sabes))"),
    bare=any_of(
        r"^(?:por favor,? )?(?:confirme|confirma|confírme\w*|me confirma|me confirmas|¿me (?:lo )?confirma|¿(?:lo |"
        r"me lo )?confirma[s]?)(?: (?:los datos|con (?:un )?[\"'«]?sí.*|para (?:proceder|continuar).*|si (?:desea|"
        r"quiere|quieres|deseas) (?:continuar|proceder|que (?:proceda|continúe)).{0,20}|por favor|que es correcto|"
        r"su elección))?[^\w:]*$",
        r"^\W*(?:por favor,? )?(?:responda|responde|conteste|escriba|escribe|diga)\b.{0,12}\bs[íi]\b.{0,40}$",
        r"^¿?(?:desea|deseas|quiere|quieres|le gustaría|te gustaría) (?:que )?(?:yo )?(?:proceda|continuar|proceder|"
        r"continúe|lo haga|lo hagamos|seguir adelante)\W*$",
        r"^¿?(?:procedo|continúo|lo hago|sigo adelante|está de acuerdo|estás de acuerdo|es correcto|le parece bien|"
        r"te parece bien)\W*$",
        r"^(?:una vez que|cuando|en cuanto) (?:me |lo |nos )*(?:confirme|confirmes)\b",
    ),
    follow_up=any_of(
        r"\bcómo (?:desea|deseas|quiere|quieres|le gustaría|te gustaría|prefiere) (?:que )?(?:proceder|proceda|"
        r"continuar|continúe|procedamos)",
        r"\b(?:hágame|hazme|háganos|déjeme|déjame)(?:lo)? saber\W*$|\b(?:(?:avíse|avísa|díga|hága|házm?e?)(?:me|"
        r"nos)(?:lo)?|dime(?:lo)?)(?: saber)?(?:,? y |\W*$)",
        r"\b(?:qué|cuál) (?:opción|de las opciones|de ellas|prefiere|prefieres)\b|\bsu (?:elección|preferencia)\b",
        r"\b(?:proporcionar|facilitar|enviar|indicar|dar)(?:me|nos)? (?:esos|estos|esta|esa|los|la|dicha) (?:datos|"
        r"información|detalles)\b",
        r"\b(?:si (?:desea|quiere|hay|necesita) (?:hacer |realizar )?(?:algún|alguna|otro|otra)) (?:cambio|"
        r"corrección|modificación|ajuste)",
    ),
    pointer=any_of(
        r"\b(?:dar|indicar|facilitar|proporcionar|enviar|compartir|pasar)(?:me|nos)? (?:esos|estos|dichos) datos\W*$|"
        r"\b(?:me los|me lo|me las) (?:da|indica|facilita|pasa|envía)s?\W*$"
    ),
    tag=any_of(
        r",\s*¿?\s*(?:verdad|cierto|correcto|no|es así|sí|es correcto|está bien|no es así)\s*\?",
        r"¿\s*(?:es (?:correcto|así|eso correcto|esto correcto)|(?:está|están|son|es) (?:todo |bien |estos datos |"
        r"los datos )?(?:correct[oa]s?|bien)|lo he entendido bien|es (?:este|esta|ese|esa) (?:su|tu|el|la))",
        r"^¿?\s*(?:correcto|verdad|cierto)\s*\?",
    ),
    claim=any_of(
        r"^¿?(?:entonces,? |y )?es \S*[@\d]\S* (?:su|tu|el|la)\b",
        r"^¿?(?:su|tu) (?:\w+ ){1,4}(?:sigue siendo|es) ",
    ),
    copula=any_of(
        r"(?: (?:registrad[oa]|que tenemos|de contacto|actual|en el sistema))*(?: (?:es|era|sigue siendo|como)|"
        r":) (?:el |la )?| el (?=\S*\d)"
    ),
    either=any_of(r"\b[ou]\s*¿?\s*$"),
    conjunction=any_of(r",? [ou] ¿?(?!no\b|bien si|cualquier|alg[úu]n|si (?:tiene|hay)|me |avís|dígame|díga|dime)"),
    comma=any_of(r", "),
    polar=any_of(
        r"^[^¿]{0,20}¿?(?:es|son|está|están|fue|era|ha|han|has|hay|tiene|tienes|puede|puedes|recibió|llegó|desea|"
        r"quiere|quieres)\b"
    ),
    open_question=any_of(
        r"^[^¿]*¿?(?:ha |han |has |hay |recibió|recibiste|llegó|estaba|fue|hubo|podría|puede|tiene|tienes|tuvo|sabe|"
        r"es posible|le llegó|funcion)",
        r"^[\s,:]*+si (?:hay|tiene|tienes|ve|ves|nota|notas|puede|puedes|el|la|los|las|su|tu|ha|sigue|funciona|"
        r"mejora)\b",
    ),
    refusal=any_of(
        r"\bno (?:me |nos |le |te |se )*(?:es posible|puedo|podemos|podré|podremos|puede|pueden|está permitido|"
        r"estoy autorizad[oa]|procede|cabe|permite|permiten|permitimos|ofrecemos|aceptamos|contempla)\b",
        r"\b(?:es|resulta) imposible\b|\bno (?:es|son|era) (?:elegibles?|reembolsables?|posible|cancelables?|"
        r"apt[oa]s?)\b",
        r"\b(?:política|normas?|condiciones|sistema)\b[^.]{0,40}\bno (?:lo |nos |le )?(?:permite|permiten|contempla|"
        r"autoriza)",
        r"\b(?:debo|tengo que) (?:rechazar|denegar)\b|\bno cumple (?:con )?(?:los requisitos|las condiciones)\b",
    ),
    setback=any_of(
        r"\bno (?:me |le |te |lo |la )*(?:puedo|podemos|pude|pudimos|logro|he podido|hemos podido) (?:encontrar|"
        r"localizar|verificar|ver|acceder|hallar|identificar|confirmar|esperar|garantizar|asegurar|"
        r"decir(?:le|te)? (?:cuándo|si|cuánto|con|exactamente))",
        r"\b(?:hasta que|sin (?:su|tu|el|la|verificar)|a menos que|antes de|si no)\b|^si\b",
    ),
)
