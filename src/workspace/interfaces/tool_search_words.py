"""English, German and Spanish words for tool searches, mapped to words of the tools with the same meaning."""

from __future__ import annotations

from collections.abc import Mapping

# A destructive tool is found first only by a verb of its title.
VERBS: Mapping[str, str] = {
    "create": """create make build write draft set-up setup generate prepare start anlegen erstellen schreiben
            machen einrichten entwerfen vorbereiten crear hacer redactar
        escribir montar preparar""",
    "add": """add put insert include append enter hinzufugen eintragen erganzen setzen aufnehmen anadir agregar
        incluir poner meter""",
    "update": """update edit change modify adjust correct rename fix set andern bearbeiten anpassen aktualisieren
        umbenennen korrigieren cambiar editar modificar actualizar ajustar corregir renombrar""",
    "list": """list show see view display which what lists overview auflisten anzeigen zeigen welche liste listar
        mostrar ver cuales lista""",
    "get": "get open details read look ansehen offnen lesen abrir detalles leer",
    "delete": """delete remove erase discard trash drop uninvite rid loschen entfernen wegwerfen eliminar borrar
        quitar suprimir""",
    "cancel": "cancel cancels canceling call-off absagen stornieren absage cancelar anular cancelacion",
    "refund": """refund reimburse repay refunds erstatten ruckerstattung zuruckzahlen zuruckgeben reembolsar
        reembolso devolver devolucion""",
    "reschedule": """reschedule move postpone shift delay bring-forward verschieben verlegen umbuchen mover aplazar
        reprogramar posponer""",
    "book": "book reserve buchen reservieren reservar agendar",
    "void": "void invalidate annul ungultig invalidar",
    "export": """export download save spreadsheet csv excel exportieren herunterladen tabelle exportar descargar""",
    "import": "import load upload importieren einlesen importar cargar",
    "email": "email mail send senden schicken mailen verschicken enviar mandar correo",
    "print": "print printed drucken ausdrucken imprimir",
    "search": "search find look-up lookup mention mentions suchen finden buscar encontrar",
    "publish": "publish go-live public veroffentlichen publicar",
    "duplicate": "duplicate copy clone kopieren duplizieren duplicar copiar",
    "connect": "connect link-up sync verbinden synchronisieren conectar sincronizar",
    "check": "check verify prufen uberprufen comprobar verificar",
    "issue": "issue award ausstellen vergeben emitir expedir otorgar",
    "approve": "approve accept confirm freigeben annehmen bestatigen zusagen aprobar aceptar confirmar",
    "undo": "undo revert restore ruckgangig wiederherstellen deshacer revertir restaurar",
    "reorder": "reorder order sort rearrange sortieren reihenfolge ordenar reordenar",
}

NOUNS: Mapping[str, str] = {
    "booking": """booking appointment reservation visit termin termine buchung buchungen reservierung cita citas
        reserva reservas""",
    "client": "client customer kunde kunden kundin kundinnen cliente clientes clienta",
    "slot": "slot slots opening gap zeit zeiten hueco huecos",
    "menu": "menu menus speisekarte speisekarten karte carta cartas",
    "item": "item dish dishes food meal drink gericht gerichte speise getrank plato platos comida bebida",
    "price": "price prices cost costs preis preise precio precios kosten",
    "review": """review reviews rating ratings feedback bewertung bewertungen rezension rezensionen resena resenas
        opinion opiniones valoracion""",
    "testimonial": "testimonial review reviews kundenstimme bewertung bewertungen testimonio resena opinion",
    "proposal": """proposal quote quotes estimate offer bid angebot angebote kostenvoranschlag presupuesto presupuestos
        propuesta propuestas cotizacion oferta""",
    "form": """form forms survey questionnaire poll quiz formular formulare formulars umfrage umfragen fragebogen
        formulario formularios encuesta encuestas cuestionario""",
    "response": """response responses submission submissions answer answers antwort antworten respuesta respuestas""",
    "waiver": """waiver waivers release disclaimer haftungsausschluss verzichtserklarung exencion descargo
        consentimiento""",
    "signature": """signature signatures signed unterschrift unterschriften unterschrieben firma firmas firmado""",
    "participant": "participant participants teilnehmer teilnehmerin participante participantes",
    "certificate": """certificate certificates diploma diplomas zertifikat zertifikate urkunde urkunden certificado
        certificados""",
    "guest": "guest guests gast gaste gasten invitado invitados invitada huesped",
    "table": "table tables tisch tische mesa mesas",
    "seating": "seating seat seats chart sitzplan tischplan sitzordnung asiento asientos plano",
    "program": """program agenda schedule conference event timetable programm tagung konferenz veranstaltung programa
        evento""",
    "session": "session talk keynote lecture workshop vortrag vortrage charla ponencia sesion taller",
    "speaker": "speaker speakers presenter referent referentin sprecher ponente orador",
    "card": "card cards visitenkarte visitenkarten tarjeta tarjetas",
    "lead": "lead leads contact contacts kontakt kontakte contacto contactos",
    "link": "link links button verknupfung enlace enlaces boton",
    "code": "code codes qr codigo codigos",
    "scan": "scan scans scanned gescannt scannen escaneo escaneos escaneado",
    "analytics": """analytics statistics stats figures numbers traffic often many statistik statistiken auswertung
        zahlen oft estadisticas cifras cuantas cuantos veces""",
    "views": "views visits visitors aufrufe besuche besucher visitas visitantes",
    "calendar": "calendar calendars kalender calendario calendarios",
    "hours": """hours vacation holiday closed closure offnungszeiten urlaub ferien horario vacaciones cerrar cerrado
        festivo""",
    "payment": "payment payments paid zahlung zahlungen bezahlt pago pagos pagado cobro",
    "notifications": "notification alert benachrichtigung benachrichtigungen notificacion notificaciones",
    "image": "image images picture photo bild bilder foto imagen imagenes",
    "plan": "plan subscription tarif plan suscripcion",
    "data": "data daten datos",
    "change": "change changes anderung anderungen cambio cambios",
    "business": "business company firma geschaft negocio empresa",
    "template": "template templates vorlage vorlagen plantilla plantillas",
}

_STOP_WORDS_TEXT = """svc the and for with how want can please need that this to of by in on my is it at or an do me we
    be as our us a i you your its was were did does will would let up out from into has have had so if
    then than there what which where when much some all any every each only der die das den dem des
    ein eine einen einem einer und oder fur mit von vom zum zur zu im am ist sind war wurde hat habe
    haben ich wir mein meine meinen unser unsere auf an aus bei nach uber um bis wie was wo bitte
    diese dieser dieses diesen das ich es el la los las un una unos unas y o de del al en con por para
    mi mis tu su es son fue se que como donde a lo le les me nos este esta estos estas"""
STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
