"""What `make test` runs: all tests on SQLite, again on PostgreSQL, then processes and browsers.

    python -m tests.run [--all] [arguments of pytest]

Services are started where they are installed. What is missing is left out and named at the end;
with --all, or CI=true in the environment, it is a failure instead.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests import services

OTHER_WORLDS = "not redis and not browser and not processes"
# The engine and the bots know no database: once is enough for them.
PURE = ("tests/engine", "tests/bots", "games/engine", "games/bots")
NO_TESTS = 5
CLOSING_LINE = re.compile(r"\b(passed|failed|errors?|deselected|no tests ran)\b.* in [\d.]+s")


def main(arguments: list[str]) -> int:
    complete = "--all" in arguments or os.environ.get("CI") == "true"
    chosen = [argument for argument in arguments if argument != "--all"]
    # The services below are only stopped on the way out, so a kill has to take that way too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with ExitStack() as stack:
        found, left_out = _find(stack)
        if complete and left_out:
            print("Not everything can be tested here:", *left_out, sep="\n  ", file=sys.stderr)
            return 1
        closing_lines = dict(_run_all(found, chosen))
    if left_out:
        print("\nLeft out, for want of:", *left_out, sep="\n  ")
    print(
        "\nIn short:", *(f"  {name}: {line}" for name, (line, _) in closing_lines.items()), sep="\n"
    )
    codes = {code for _, code in closing_lines.values()}
    if chosen:
        # Of a choice, one of the runs may well have nothing to do.
        codes.discard(NO_TESTS)
    # A killed pytest has a negative code.
    return next((code for code in codes if code), 0) if codes else NO_TESTS


def _find(stack: ExitStack) -> tuple[dict[str, str], list[str]]:
    """Start what can be started; return where each is, and a sentence for each that is missing."""
    found: dict[str, str] = {}
    left_out: list[str] = []
    finders = {
        services.POSTGRES: services.postgres,
        services.REDIS: services.redis,
        services.CHROMIUM: _chromium,
    }
    for name, finder in finders.items():
        try:
            found[name] = stack.enter_context(finder())
        except services.Missing as missing:
            left_out.append(str(missing))
    return found, left_out


@contextmanager
def _chromium() -> Iterator[str]:
    yield services.chromium()


def _run_all(found: dict[str, str], chosen: list[str]) -> Iterator[tuple[str, tuple[str, int]]]:
    parallel = ["-n", str(min(os.cpu_count() or 1, 4))]
    on_sqlite = [*parallel, "-m", f"not postgres and {OTHER_WORLDS}"]
    yield "On SQLite", _pytest("On SQLite", [*on_sqlite, *chosen], found)

    if services.POSTGRES in found:
        impure = [f"--ignore={folder}" for folder in PURE]
        database = {"DATABASE_URL": found[services.POSTGRES]}
        on_postgres = [*parallel, *impure, "-m", OTHER_WORLDS, *chosen]
        yield "On PostgreSQL", _pytest("On PostgreSQL", on_postgres, found | database)

    missing = {"postgres": services.POSTGRES, "redis": services.REDIS, "browser": services.CHROMIUM}
    without = "".join(f" and not {mark}" for mark, name in missing.items() if name not in found)
    # One after the other: each starts servers of its own and wants the machine for itself.
    whole = ["-m", f"(redis or browser or processes){without}", *chosen]
    yield "As a whole", _pytest("As a whole", whole, found)


def _pytest(title: str, arguments: list[str], environment: dict[str, str]) -> tuple[str, int]:
    """Run pytest, show what it prints, and return its closing line and exit code."""
    print(f"\n{title}", flush=True)
    color = "yes" if sys.stdout.isatty() else "no"
    command = [sys.executable, "-m", "pytest", f"--color={color}", *arguments]
    closing_line = "ended without a summary"
    with subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            for line in process.stdout:
                print(line, end="", flush=True)
                if CLOSING_LINE.search(line):
                    closing_line = line.strip().strip("=").strip()
        except BaseException:
            # On the way out the services are stopped, and pytest must not outlive them.
            process.terminate()
            raise
    return closing_line, process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
