"""Words for what agents usually offer to do, in English, Spanish and Chinese, by concept.

The names of tools are English, what an agent says need not be: a concept is what the two have in common.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that can be done (`act`), or that something is done to.

    `words` are matched by their stem. `phrases` and `chinese` are patterns in folded text (lower case, no accents); `~`
    stands for up to four words. `means`: other concepts that it stands for, where a word is vague.
    """

    name: str
    words: str = ""
    phrases: str = ""
    chinese: str = ""
    act: bool = False
    means: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The concepts that a text with one of its words or phrases speaks of."""
        return self.means or (self.name,)


ACTS: tuple[Concept, ...] = (
    Concept(
        "refund",
        "refund reimburse reimbursement reembolso reembolsar",
        phrases=r"money back|back (?:on)?to (?:your|the) ~(?:card|account|visa|mastercard|amex|paypal)|(?:give|send|"
        r"put|return) ~money|(?:return|credit) ~[$€£]?\d+[.,]\d\d|devolucion del (?:dinero|importe)",
        chinese="退款|退钱|退还",
        act=True,
    ),
    Concept(
        "cancel",
        "cancel cancellation cancelar cancelacion anular anulacion",
        phrases=r"call(?:ing)? (?:it |that )?off",
        chinese="取消|撤销",
        act=True,
    ),
    Concept("return", "return", phrases=r"send(?:ing)? (?:it|them) back", chinese="退货", act=True),
    Concept(
        "give_back",
        "devolucion",
        phrases=r"dev(?:o|ue)lv\w*",
        chinese="退回",
        means=("return", "refund"),
        act=True,
    ),
    Concept("exchange", "exchange intercambiar canje", chinese="换货|调换", act=True),
    Concept(
        "swap",
        "swap switch",
        phrases=r"cambi\w+ \w+ ~por",
        chinese="换成|更换|换新|换一",
        means=("exchange", "replace", "change"),
        act=True,
    ),
    Concept(
        "replace", "replace replacement reemplazar reemplazo sustituir sustitucion repuesto", chinese="补发", act=True
    ),
    Concept(
        "change",
        "change update modify modification edit amend adjust alter cambiar cambio modificar modificacion "
        "actualizar actualizacion corregir corrija",
        phrases=r"correct (?:the|your|my|it|that)",
        chinese="修改|更改|更新|变更|更正|改成|改为",
        act=True,
    ),
    Concept(
        "find",
        "find check lookup view retrieve fetch search inspect consult buscar busque busco consultar consulta "
        "revisar comprobar mirar",
        phrases=r"look(?:ing)? ~(?:up|into|at)|pull(?:ing)? ~up",
        chinese="查询|查看|查一下|查找|检查|查",
        act=True,
    ),
    Concept(
        "verify",
        "verify verification authenticate identify verificar verificacion autenticar identificar",
        chinese="验证|核实|核对|确认.{0,3}身份",
        act=True,
    ),
    Concept(
        "escalate",
        "escalate escalation transfer connect escalar transferir transfiera derivar pasar pase comunicar comunique",
        phrases=r"hand(?:ing)? ~over|put(?:ting)? ~through",
        chinese="转接|转给|转人工|转交|转到|升级处理",
        act=True,
    ),
    Concept(
        "send",
        "send ship deliver dispatch enviar envie envio mandar mande",
        chinese="发送|寄送|寄出|寄给|发货|发给",
        act=True,
    ),
    Concept("resend", "resend reship reenviar reenvie", chinese="重发|重新发送|重新寄", act=True),
    Concept(
        "book",
        "book reserve reservar",
        phrases=r"(?:make|create|hacer|hago|haga) ~(?:reservation|reserva)",
        chinese="预订|预定|预约",
        act=True,
    ),
    Concept("schedule", "schedule programar agendar", chinese="安排", act=True),
    Concept("reschedule", "reschedule postpone reprogramar aplazar", chinese="改期|改签|改约", act=True),
    Concept("close", "close cerrar cierre", chinese="关闭|注销", act=True),
    Concept("delete", "delete remove erase eliminar elimine borrar quitar", chinese="删除|移除", act=True),
    Concept("add", "add anadir anada agregar agregue", chinese="添加|加上|增加", act=True),
    Concept("reset", "reset restablecer restablezca", chinese="重置", act=True),
    Concept("block", "block freeze lock bloquear bloquee congelar", chinese="冻结|锁定|挂失", act=True),
    Concept("unblock", "unlock unblock unfreeze desbloquear desbloquee", chinese="解锁|解冻", act=True),
    Concept("activate", "activate enable activar active", chinese="激活|启用|开通", act=True),
    Concept("deactivate", "deactivate disable desactivar", chinese="停用", act=True),
    Concept("pause", "pause suspend pausar suspender suspenda", chinese="暂停", act=True),
    Concept("resume", "resume reactivate reanudar reactivar", chinese="恢复", act=True),
    Concept("upgrade", "upgrade", chinese="升级(?!处理)|升舱", means=("upgrade", "change"), act=True),
    Concept("downgrade", "downgrade", chinese="降级", means=("downgrade", "change"), act=True),
    Concept("renew", "renew renewal renovar renueve renovacion", chinese="续订|续费|续期", act=True),
    Concept("extend", "extend extension prolongar ampliar", chinese="延长|延期", act=True),
    Concept("pay", "pay pagar abonar", chinese="支付|付款", act=True),
    Concept("charge", "charge cobrar cobro", chinese="收费|扣款|收取", act=True),
    Concept("subscribe", "subscribe suscribir", chinese="订阅", act=True),
    Concept("unsubscribe", "unsubscribe", chinese="退订|取消订阅", act=True),
    Concept("waive", "waive condonar", chinese="免除|减免", act=True),
    Concept("redeem", "redeem canjear", chinese="兑换", act=True),
    Concept("compensate", "compensate compensation compensar compensacion", chinese="补偿|赔偿", act=True),
    Concept("keep", "keep leave mantener mantenga conservar dejar deje", chinese="保留|保持", act=True),
)

THINGS: tuple[Concept, ...] = (
    Concept("order", "order purchase pedido compra orden", chinese="订单"),
    Concept("item", "item product article articulo producto", chinese="商品|产品"),
    Concept("address", "address direccion domicilio", chinese="地址"),
    Concept("email", "email mail correo", phrases=r"e-mail", chinese="邮箱|邮件"),
    Concept("phone", "phone telephone telefono movil", chinese="电话|手机"),
    Concept("account", "account cuenta", chinese="账户|账号|帐户"),
    Concept("card", "card tarjeta", chinese="银行卡|信用卡|借记卡"),
    Concept("credit", "credit credito saldo", chinese="余额"),
    Concept(
        "store_credit",
        phrases=r"store credit|shop credit|credito (?:en|de|para) (?:la )?tienda",
        chinese="购物金|商店(?:积分|余额|信用)|店铺(?:积分|余额)",
    ),
    Concept(
        "voucher",
        "voucher coupon vale cupon bono",
        phrases=r"gift card|tarjeta (?:de )?regalo",
        chinese="优惠券|代金券|礼品卡",
    ),
    Concept(
        "human",
        "human agent person representative specialist colleague supervisor manager agente humano humana "
        "persona representante companero companera supervisor encargado",
        chinese="人工|客服|专员|真人|经理|同事",
    ),
    Concept("reservation", "reservation reservations", chinese="预订单"),
    Concept("booking", "booking bookings reserva reservas", means=("book", "reservation")),
    Concept("appointment", "appointment cita", chinese="预约单"),
    Concept("flight", "flight vuelo", chinese="航班|机票"),
    Concept("subscription", "subscription suscripcion", chinese="订阅服务"),
    Concept("membership", "membership membresia afiliacion", chinese="会员(?:资格|身份|服务)?|会籍"),
    Concept("password", "password contrasena clave", chinese="密码"),
    Concept("identity", "identity identidad", chinese="身份"),
    Concept("customer", "customer client user cliente usuario", chinese="客户|用户"),
    Concept("delivered", "delivered shipped pending entregado pendiente"),
    Concept("payment", "payment payments pago pagos"),
    Concept("delivery", "delivery deliveries shipping shipment entrega", chinese="配送|送货|派送|物流"),
    Concept("pickup", "pickup recogida", phrases=r"pick-up", chinese="取件"),
    Concept("status", "status estado", chinese="状态"),
    Concept("label", "label etiqueta", chinese="标签"),
    Concept("discount", "discount descuento rebaja", chinese="折扣"),
    Concept("fee", "fee tarifa comision", chinese="手续费|费用"),
    Concept("warranty", "warranty guarantee garantia", chinese="保修"),
    Concept("policy", "policy politica", chinese="政策"),
    Concept("invoice", "invoice receipt factura recibo", chinese="发票|收据"),
    Concept("complaint", "complaint claim queja reclamacion reclamo", chinese="投诉"),
    Concept("ticket", "ticket case caso incidencia", chinese="工单"),
    Concept("date", "date fecha", chinese="日期"),
    Concept("plan", "plan", chinese="套餐"),
    Concept("seat", "seat asiento", chinese="座位"),
    Concept("baggage", "baggage luggage bag equipaje maleta", chinese="行李"),
)

LIGHT = (
    "issue process make create do perform submit execute start initiate complete place give offer take handle "
    "apply open file raise set put go get have use provide run emitir procesar hacer haga realizar realice "
    "crear iniciar inicie tramitar tramite dar aplicar aplique generar ofrecer poner to of for the a an in on "
    "by from with and or"
)
"""Words that say that something is done, not what."""

BARE = (
    "before first once confirmation confirmed approval replying agreeing authorization do you want would like "
    "me to shall i should we may can could will is that this it these those ok okay fine alright all right "
    "with so proceed continue go going ahead confirm please yes no agree agreed for happy sound good correct "
    "look are ready by reply let know if now then the a an your my of be and or done am just say work "
    "everything above below wish consent authorize approve accept comfortable still us in on as here well "
    "change action request step detail operation option thing information desea desee quiere quieres que "
    "proceda procedamos procedo proceder continuar continuo siga sigo seguir adelante le te les parece parecen "
    "bien esta este esto eso de acuerdo confirma confirme confirmar confirmo confirmas lo la los las el si por "
    "favor puedo podemos para con gustaria su tu correcto correcta conforme asi y o un una todo vale cambio "
    "accion solicitud operacion dato issue process make perform submit execute start initiate complete place "
    "take handle help hacer haga hago realizar realice tramitar tramite iniciar inicie"
)
"""Words of a question such as "Do you want to proceed?", which by itself does not say with what."""

BARE_CHINESE = (
    r"[您你我吗嘛吧呢的了么这那样个些就来去为给再请好行会能想是否要吧]|可以|继续|确认|是不是|需要|希望|同意|操作|办理|进行|处理|"
    r"现在|以上|没问题|执行|帮|请求|更改|信息"
)

PROCEED = (
    "proceed continue go confirm proceda procedamos procedo proceder continuar continuo siga adelante confirma "
    "confirme confirmar"
)
"""Words that point at what was said before."""

SPANISH_DETERMINERS = "el la los las su sus tu tus mi mis un una este esta estos estas"

DETERMINERS = (
    "a an the your my our his her their this that these those both all any each every one two three only just also "
    "ambos ambas todo toda todos todas tambien solo"
)

ENDS_AN_OBJECT = (
    "to from for with in on at by and or but then as if so because due using via we i you me us it them he she they "
    "that which who is are was were be been will would can could shall should may do does did have has had before "
    "after when until once under into onto off out up down not no yes please today tonight now instead anyway right "
    "straight away here there want like need a al con en por para y o e u que si desde hasta sin hoy ahora ya usted le "
    "les se lo nos me te quiere quieres desea deseas"
)
"""Words behind which nothing belongs to what an act is done to."""

ANY_OBJECT = (
    "full partial total whole entire complete immediate instant early current existing new old same remaining pending "
    "eligible requested selected following above below amount sum price value cost balance money everything "
    "completo completa entero entera inmediato inmediata actual nuevo nueva importe dinero monto cantidad "
    "request solicitud peticion usd eur gbp cny rmb euro euros dollar dollars dolares pounds pesos"
)
"""Words that don't tell which thing an act is done to."""
