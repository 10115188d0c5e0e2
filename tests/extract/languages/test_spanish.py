"""Spanish: rules and what only looks like one, as developers say it."""

from __future__ import annotations

import pytest

from support.speech import rule, talk

RULES = [
    "No, no uses curl, usa el cliente de lib/http.",
    "Por favor, escribe siempre la migración antes que el modelo",
    "A partir de ahora el lint corre antes de cada commit",
    "Mal. Los ids de las grúas son strings, no números",
    "Aquí usamos pnpm, no npm",
    "Nuestra base de datos de staging escucha en el 6543",
    "Hemos decidido usar gRPC entre servicios, porque REST era demasiado hablador",
    "Ya te dije: nada de force push en ramas compartidas",
    "Nunca cargues más de 200 contenedores por lote",
    "Los tests van en tests/unit, no junto al código",
    "Los mensajes de error tienen que estar en inglés, los leen los clientes",
    "Responde en dos frases, yo leo el código",
    "Pregúntame antes de añadir una dependencia",
    "Los commits siempre en imperativo, por favor",
    "Prohibido usar print en la librería, para eso está el logger",
    "Las ramas se llaman feature/<ticket>-<nombre> en este repo",
    "Recuerda que hay que vaciar la caché antes de cada despliegue",
    "Que quede claro: la contraseña viene de Vault y nunca del .env",
    "De ahora en adelante primero rebase y luego merge",
    "Los logs se guardan 30 días como máximo",
    "Por norma no se hacen mocks de la base de datos",
    "Nos quedamos con TOML para toda la configuración",
    "Si falla una importación hay que conservar el manifiesto",
    "Nunca uses floats para dinero",
    "¿Puedes poner siempre los tipos?",
    "Los servicios solo se llaman a través de la cola",
    "No inventes ids, tómalos de fixtures/ids.json",
    "Cada endpoint nuevo necesita una entrada en docs/api.md",
    "Antes de cada release make check tiene que estar en verde",
    "La carpeta legacy/ no se toca, dos clientes dependen de ella",
    "No vuelvas a hacer eso sin preguntar",
    "No subimos archivos generados al repo",
    "Las variables de entorno solo se leen en config.py",
    "La API no debe exponer ids internos",
    "La próxima vez ejecuta los tests antes de hacer push",
    "Las contraseñas no van en el repositorio",
    "Todas las fechas se guardan en UTC",
    "Los comentarios en inglés, por favor",
    "El largo de línea es 100, no 80",
    "Sin revisión no se hace merge a main",
    "Para los correos usamos siempre el worker de la cola",
    "Prefiero funciones cortas a clases",
]

TALK = [
    "Ponlo en verde",
    "Gracias, ya funciona.",
    "Espera, muéstrame los dos",
    "La página está vacía ahora",
    "No, el otro archivo",
    "Hmm, me gustaba más el anterior. Déjalo como estaba",
    "¿Me puedes enseñar primero el diff?",
    "¿Un atraque es siempre un muelle?",
    "Los tests siguen en rojo",
    "Quizás nunca deberíamos haberlo separado",
    "Por ahora déjalo todo en un archivo",
    "Probemos con un lote más pequeño",
    "Arregla todos los errores de lint de este archivo",
    "El resto lo hago yo",
    "Da igual, olvídalo",
    "Dame la suma de las tasas de mayo",
    "El botón del pie va a la página antigua",
    "¿Por qué falla el test?",
    "Agrega una columna para el calado",
    "Reemplaza todas las llamadas a foo por bar",
    "Queda bien, haz el commit",
    "La búsqueda devuelve filas duplicadas",
    "Creo que deberíamos cachearlo siempre",
    "Dame una lista de todos los flujos",
    "Reinicia el servidor y mira si el error sigue ahí",
    "Un poco más oscuro, por favor",
    "La importación se corta a los dos minutos",
    "¿Qué significa el estado 4 en la tabla?",
    "Un compañero escribe:\nNunca uses floats. Usa siempre Decimal.",
    "Cambia el nombre de la variable a total",
    "Vale, sigue",
    "Antes de seguir, actualiza el changelog",
    "¿Puedes renombrar la función otra vez?",
    "La búsqueda siempre muestra la primera página",
    "El login no funciona en el móvil",
    "Escribe un test para el importador",
    "No me gusta el color",
    "Espera, eso no era todo",
    "El cron no corrió anoche",
    "Usa el otro parser para este caso",
    "Agrega en ajustes un interruptor para el modo oscuro",
    "El formulario debe incluir nombre y dirección",
    "No entiendo por qué tarda tanto",
    "Muy bien, pasemos al siguiente paso",
]


@pytest.mark.parametrize("text", RULES)
def test_rules_are_found(text: str) -> None:
    assert rule(text, "es")


@pytest.mark.parametrize("text", TALK)
def test_talk_is_left(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (RULES[0], "Usa el cliente de lib/http en vez de curl"),
        (RULES[4], "Usa pnpm en vez de npm"),
        (RULES[21], "Usa TOML para toda la configuración"),
        (RULES[23], "Evita floats para dinero"),
    ],
)
def test_titles_are_positive(text: str, title: str) -> None:
    assert rule(text, "es") == title
