"""Words for what agents usually offer to do, in English, Spanish and Chinese, by concept.

The names of tools are English, what an agent says need not be: a concept is what the two have in common.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that can be done (`act`), or that something is done to.

    `words` are matched by their stem. `phrases` are patterns in folded text (lower case, no accents), for idioms and
    for Chinese; `~` stands for up to four words.
    """

    name: str
    words: str
    phrases: str = ""
    act: bool = False


def _act(name: str, words: str, phrases: str = "") -> Concept:
    return Concept(name, words, phrases, act=True)


ACTS: tuple[Concept, ...] = (
    _act(
        "refund",
        "refund reimburse reimbursement reembolso reembolsar",
        r"money back|back (?:on)?to (?:your|the) ~(?:card|account|visa|mastercard|amex|paypal)|(?:give|send|"
        r"put|return) ~money|dev(?:o|ue)lv\w* ~(?:dinero|importe)|devolucion del (?:dinero|importe)|退款|退钱|退还",
    ),
    _act(
        "cancel",
        "cancel cancellation cancelar cancelacion anular anulacion",
        r"call(?:ing)? (?:it |that )?off|取消|撤销",
    ),
    _act("return", "return devolver devuelva devuelvo devolucion", r"send(?:ing)? (?:it|them) back|退货|退回"),
    _act("exchange", "exchange swap intercambiar canje", r"cambi\w+ \w+ ~por|换货|调换|换成"),
    _act(
        "replace",
        "replace replacement reemplazar reemplazo sustituir sustitucion repuesto",
        r"补发|更换|换新|换一",
    ),
    _act(
        "change",
        "change update modify modification edit correct amend adjust alter cambiar cambio modificar "
        "modificacion actualizar actualizacion corregir corrija",
        r"修改|更改|更新|变更|更正|改成|改为",
    ),
    _act(
        "find",
        "find check lookup view retrieve fetch search inspect consult buscar busque busco consultar consulta "
        "revisar comprobar mirar",
        r"look(?:ing)? ~(?:up|into|at)|pull(?:ing)? ~up|查询|查看|查一下|查找|检查|查",
    ),
    _act(
        "verify",
        "verify verification authenticate identify verificar verificacion autenticar identificar",
        r"验证|核实|核对|确认.{0,3}身份",
    ),
    _act(
        "escalate",
        "escalate escalation transfer connect escalar transferir transfiera derivar pasar pase comunicar comunique",
        r"hand(?:ing)? ~over|put(?:ting)? ~through|转接|转给|转人工|转交|转到|升级处理",
    ),
    _act("send", "send ship deliver dispatch enviar envie envio mandar mande", r"发送|寄送|寄出|寄给|发货|发给"),
    _act("resend", "resend reship reenviar reenvie", r"重发|重新发送|重新寄"),
    _act("book", "book reserve reservar", r"预订|预定|预约"),
    _act("schedule", "schedule programar agendar", r"安排"),
    _act("reschedule", "reschedule postpone reprogramar aplazar", r"改期|改签|改约"),
    _act("close", "close cerrar cierre", r"关闭|注销"),
    _act("delete", "delete remove erase eliminar elimine borrar quitar", r"删除|移除"),
    _act("add", "add anadir anada agregar agregue", r"添加|加上|增加"),
    _act("reset", "reset restablecer restablezca", r"重置"),
    _act("block", "block freeze lock bloquear bloquee congelar", r"冻结|锁定|挂失"),
    _act("unblock", "unlock unblock unfreeze desbloquear desbloquee", r"解锁|解冻"),
    _act("activate", "activate enable activar active", r"激活|启用|开通"),
    _act("deactivate", "deactivate disable desactivar", r"停用"),
    _act("pause", "pause suspend pausar suspender suspenda", r"暂停"),
    _act("resume", "resume reactivate reanudar reactivar", r"恢复"),
    _act("upgrade", "upgrade", r"升级(?!处理)|升舱"),
    _act("downgrade", "downgrade", r"降级"),
    _act("renew", "renew renewal renovar renueve renovacion", r"续订|续费|续期"),
    _act("extend", "extend extension prolongar ampliar", r"延长|延期"),
    _act("pay", "pay payment pagar pago abonar", r"支付|付款"),
    _act("charge", "charge cobrar cobro", r"收费|扣款|收取"),
    _act("subscribe", "subscribe suscribir", r"订阅"),
    _act("unsubscribe", "unsubscribe", r"退订|取消订阅"),
    _act("waive", "waive condonar", r"免除|减免"),
    _act("redeem", "redeem canjear", r"兑换"),
    _act("compensate", "compensate compensation compensar compensacion", r"补偿|赔偿"),
    _act("keep", "keep leave mantener mantenga conservar dejar deje", r"保留|保持"),
)

THINGS: tuple[Concept, ...] = (
    Concept("order", "order purchase pedido compra orden", r"订单"),
    Concept("item", "item product article articulo producto", r"商品|产品"),
    Concept("address", "address direccion domicilio", r"地址"),
    Concept("email", "email mail correo", r"e-mail|邮箱|邮件"),
    Concept("phone", "phone telephone telefono movil", r"电话|手机"),
    Concept("account", "account cuenta", r"账户|账号|帐户"),
    Concept("card", "card tarjeta", r"银行卡|信用卡|借记卡"),
    Concept("credit", "credit credito saldo", r"余额"),
    Concept(
        "store_credit",
        "",
        r"store credit|shop credit|credito (?:en|de|para) (?:la )?tienda|"
        r"购物金|商店(?:积分|余额|信用)|店铺(?:积分|余额)",
    ),
    Concept("voucher", "voucher coupon vale cupon bono", r"gift card|tarjeta (?:de )?regalo|优惠券|代金券|礼品卡"),
    Concept(
        "human",
        "human agent person representative specialist colleague supervisor manager agente humano humana "
        "persona representante companero companera supervisor encargado",
        r"人工|客服|专员|真人|经理|同事",
    ),
    Concept("reservation", "reservation booking reserva", r"预订单"),
    Concept("appointment", "appointment cita", r"预约单"),
    Concept("flight", "flight vuelo", r"航班|机票"),
    Concept("subscription", "subscription suscripcion", r"订阅服务"),
    Concept("password", "password contrasena clave", r"密码"),
    Concept("identity", "identity identidad", r"身份"),
    Concept("customer", "customer client user cliente usuario", r"客户|用户"),
    Concept("delivery", "delivery shipping shipment entrega", r"配送|送货|派送|物流"),
    Concept("status", "status estado", r"状态"),
    Concept("label", "label etiqueta", r"标签"),
    Concept("discount", "discount descuento rebaja", r"折扣"),
    Concept("fee", "fee tarifa comision", r"手续费|费用"),
    Concept("warranty", "warranty guarantee garantia", r"保修"),
    Concept("policy", "policy politica", r"政策"),
    Concept("invoice", "invoice receipt factura recibo", r"发票|收据"),
    Concept("complaint", "complaint claim queja reclamacion reclamo", r"投诉"),
    Concept("ticket", "ticket case caso incidencia", r"工单"),
    Concept("date", "date fecha", r"日期"),
    Concept("plan", "plan", r"套餐"),
    Concept("seat", "seat asiento", r"座位"),
    Concept("baggage", "baggage luggage bag equipaje maleta", r"行李"),
)

LIGHT = (
    "issue process make create do perform submit execute start initiate complete place give offer take handle "
    "apply open file raise set put go get have use provide run emitir procesar hacer haga realizar realice "
    "crear iniciar inicie tramitar tramite dar aplicar aplique generar ofrecer poner to of for the a an in on "
    "by from with and or"
)
"""Words that say that something is done, not what."""

BARE = (
    "do you want would like me to shall i should we may can could will is that this it these those ok okay "
    "fine alright all right with so proceed continue go going ahead confirm please yes no agree agreed for "
    "happy sound good correct look are ready by reply let know if now then the a an your my of be and or done "
    "am just say work everything above below wish consent authorize approve accept comfortable still us in on "
    "as here well change action request step detail operation option thing information desea desee quiere "
    "quieres que proceda procedamos procedo proceder continue continuar continuo siga sigo seguir adelante le "
    "te les parece parecen bien esta este esto eso de acuerdo confirma confirme confirmar confirmo confirmas "
    "lo la los las el si no por favor me puedo podemos para con gustaria su tu correcto correcta conforme asi "
    "y o un una todo vale cambio accion solicitud operacion dato issue process make perform submit execute "
    "start initiate complete place take handle help hacer haga hago realizar realice tramitar tramite iniciar "
    "inicie"
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
