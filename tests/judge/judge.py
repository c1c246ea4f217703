"""Judge records of matches: a second program, written from the rules alone.

    python tests/judge/judge.py FILE        one record a line

Deals every round again, plays every action, counts, ranks, adds up, and prints whatever does not
agree with the record. Ends with 1 when anything does not, 0 when all is right, 2 when the file
cannot be opened. It shares no line with the engine, on purpose: tiles are texts like "2-5", a
round is a dict, and each rule stands where it is used, with its number.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
import unicodedata
from typing import Any

Table = dict[str, Any]
Move = tuple[str, str | None, str | None]  # act, tile, end

CHOICES: dict[str, list[Any]] = {
    "unable": ["discard", "pass"],
    "double_blank": ["plain", "own25", "dead25"],
    "team_rule": ["none", "sum", "winner", "both_out"],
    "empty_by_discard": ["continue", "ends"],
    "first_lead": ["0-0", "6-6"],
    "next_lead": ["double", "any"],
    "next_starter": ["winner", "rotate"],
    "redeal": ["off", "5", "6"],
    "on_timeout": ["pass", "autoplay"],
    "takeover_after": [1, 2, 3, 4, 5],
    "rules_version": [1],
}


class Broken(Exception):
    """The record breaks a rule in a way that judging cannot go on from."""


def demand(holds: bool, complaint: str) -> None:
    if not holds:
        raise Broken(complaint)


def same(found: object, expected: object, what: str) -> None:
    # As JSON text, so that true is not 1 and 1.0 is not 1.
    if json.dumps(found, sort_keys=True) != json.dumps(expected, sort_keys=True):
        raise Broken(f"{what} is {found}, should be {expected}")


def pips(tile: str) -> int:
    return int(tile[0]) + int(tile[2])


def double(tile: str) -> bool:
    return tile[0] == tile[2]


# -- The deal: R1 to R5, R18, R19 -----------------------------------------------------------


def deal(seed: bytes, context: str, players: int, size: int) -> tuple[Any, list[str], int]:
    stream: list[int] = []
    for block in range(40):
        text = f"{context}|{block}".encode()
        raw = hmac.new(seed, text, hashlib.sha256).hexdigest()
        stream += [int(raw[8 * k : 8 * k + 8], 16) for k in range(8)]

    def below(m: int) -> int:
        while True:
            word = stream.pop(0)
            if word < m * (2**32 // m):
                return word % m

    deck = [f"{a}-{b}" for a in range(7) for b in range(a, 7)]
    i = 27
    while i >= 1:
        j = below(i + 1)
        keep = deck[i]
        deck[i] = deck[j]
        deck[j] = keep
        i -= 1
    hands = {}
    for seat in range(players):
        hands[seat] = sorted(deck[seat * size : seat * size + size])
    return hands, deck[players * size :], below(players)


def needs_redeal(hands: dict[int, list[str]], rules: Table) -> bool:
    if rules["redeal"] == "off":
        return False
    return any(len(list(filter(double, hand))) >= int(rules["redeal"]) for hand in hands.values())


def judge_deal(code: str, rules: Table, given: Table, number: int) -> Table:
    """Check the deal of a round; return the table as it stands before the first action."""
    players, size = rules["players"], rules["tiles"]
    same(given["number"], number, "number")
    demand(re.fullmatch("[0-9a-f]{64}", given["seed"]) is not None, "seed is not 32 bytes in hex")
    seed = bytes.fromhex(given["seed"])
    same(given["commitment"], hashlib.sha256(seed).hexdigest(), "commitment")
    demand(len(given["phrases"]) == players, "there is not one phrase a seat")
    for phrase in given["phrases"]:
        demand(len(phrase) <= 40, "a phrase is too long")
        demand(phrase == unicodedata.normalize("NFC", phrase).strip(), "a phrase is not clean")
        demand(all(unicodedata.category(c) != "Cc" for c in phrase), "a phrase has controls")

    nonce = 0
    while True:
        context = "|".join(
            ["gaple/1", code, str(number), str(nonce), "\u001f".join(given["phrases"])]
        )
        hands, rest, drawn = deal(seed, context, players, size)
        if not needs_redeal(hands, rules):
            break
        nonce += 1
    same(given["nonce"], nonce, "nonce")
    same(given["context"], context, "context")
    same(given["hands"], [hands[seat] for seat in range(players)], "hands")
    same(given["rest"], rest, "rest")
    return {
        "rules": rules,
        "number": number,
        "players": players,
        "hands": hands,
        "dead": {seat: [] for seat in range(players)},
        "ends": [int(rest[0][0]), int(rest[0][2])] if rest else None,
        "drawn": drawn,
        "emptied": [],
    }


def right_to_start(table: Table, right: int | None) -> int:
    """R3, R4: who begins; `right` is who has the right by R13, None in round 1."""
    rules, hands = table["rules"], table["hands"]
    if rules["tiles"] != 7:
        return int(table["drawn"]) if right is None else right
    if right is None:
        for seat in hands:
            if rules["first_lead"] in hands[seat]:
                return int(seat)
        raise Broken("nobody holds the first lead")
    if rules["next_lead"] == "double":
        while not any(double(tile) for tile in hands[right]):
            right = (right + 1) % len(hands)
    return right


# -- Actions: R4, R6 to R8, R16 -------------------------------------------------------------


def moves(table: Table, seat: int) -> list[Move]:
    """Every legal move of the seat."""
    rules, hand = table["rules"], sorted(table["hands"][seat])
    if table["ends"] is None:
        if table["number"] == 1:
            return [("place", rules["first_lead"], "L")]
        return [("place", t, "L") for t in hand if double(t) or rules["next_lead"] == "any"]
    found: list[Move] = []
    for tile in hand:
        if str(table["ends"][0]) in tile:
            found.append(("place", tile, "L"))
        if str(table["ends"][1]) in tile:
            found.append(("place", tile, "R"))
    if found:
        return found
    if rules["unable"] == "pass":
        return [("pass", None, None)]
    return [("discard", tile, None) for tile in hand]


def forced_move(table: Table, seat: int, legal: list[Move]) -> Move | None:
    """R8."""
    if table["ends"] is None:
        return legal[0] if table["number"] == 1 else None
    if legal[0][0] == "pass":
        return legal[0]
    if len(table["hands"][seat]) > 1:
        return None
    if table["rules"]["team_rule"] == "both_out" and len(legal) > 1:
        return None
    return legal[0]


def late_move(table: Table, legal: list[Move]) -> Move:
    """R16."""
    if legal[0][0] == "pass":
        return legal[0]
    fits = legal[0][0] == "place" and table["ends"] is not None
    if fits and table["rules"]["on_timeout"] == "pass":
        return ("pass", None, None)
    return sorted(legal, key=lambda m: (pips(str(m[1])), str(m[1])[0], m[2] or ""))[0]


def judge_action(table: Table, seat: int, given: Table) -> None:
    same(given["seat"], seat, "seat")
    move: Move = (given["act"], given.get("tile"), given.get("end"))
    keys = {"seat", "act", "by", "at"} | ({"tile"} if move[1] else set())
    same(sorted(given), sorted(keys | ({"end"} if move[2] else set())), "set of keys")
    demand(
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", given["at"]) is not None,
        f"at {given['at']} is no UTC time",
    )
    legal = moves(table, seat)
    forced = forced_move(table, seat, legal)
    if forced is not None:
        same([*move, given["by"]], [*forced, "forced"], "forced action")
    elif given["by"] == "timeout":
        same(list(move), list(late_move(table, legal)), "action of the missed deadline")
    else:
        demand(given["by"] in ("player", "bot"), f"by {given['by']} is not possible here")
        demand(move in legal, f"{move} is not among the legal {legal}")


def carry_out(table: Table, seat: int, given: Table) -> None:
    if given["act"] == "pass":
        return
    tile = given["tile"]
    table["hands"][seat].remove(tile)
    if not table["hands"][seat]:
        table["emptied"].append(seat)
    a, b = int(tile[0]), int(tile[2])
    if given["act"] == "discard":
        table["dead"][seat].append(tile)
    elif table["ends"] is None:
        table["ends"] = [a, b]
    else:
        side = "LR".index(given["end"])
        table["ends"][side] = a + b - table["ends"][side]


def over(table: Table, seat: int, act: str) -> tuple[str, int | None] | None:
    """R9, R10: reason and closer after an action of the seat, None while it goes on."""
    rules, hands = table["rules"], table["hands"]
    alone = rules["team_rule"] != "both_out"
    if not hands[seat] and act == "place" and (alone or not hands[(seat + 2) % 4]):
        return "out", seat
    if not hands[seat] and act == "discard" and rules["empty_by_discard"] == "ends":
        return "emptied", None
    left, right = map(str, table["ends"])
    for hand in hands.values():
        for tile in hand:
            if left in tile or right in tile:
                return None
    return "blocked", None


# -- Counting: R11, R12 ---------------------------------------------------------------------


def values(table: Table) -> dict[int, list[tuple[int, int]]]:
    """By seat, the (value, low end) of every counted tile."""
    counted = {s: table["hands"][s] + table["dead"][s] for s in table["hands"]}
    rule = table["rules"]["double_blank"]
    result: dict[int, list[tuple[int, int]]] = {}
    for seat, tiles in counted.items():
        result[seat] = []
        for tile in tiles:
            value = pips(tile)
            if tile == "0-0" and rule != "plain":
                about = tiles if rule == "own25" else [t for all_ in counted.values() for t in all_]
                value = 0 if any(t[0] == "0" and t != "0-0" for t in about) else 25
            result[seat].append((value, int(tile[0])))
    return result


def strength(tiles: list[tuple[int, int]], emptied_at: int) -> tuple[int, int, tuple[int, int]]:
    """R12: the lower the better."""
    score = sum(value for value, _ in tiles)
    if not tiles:
        return score, 0, (emptied_at, 0)
    return score, 1, min(tiles)


def outcome(table: Table, reason: str, closer: int | None) -> Table:
    worth = values(table)
    seats = list(worth)
    order = table["emptied"]
    keys = {s: strength(worth[s], order.index(s) if s in order else 99) for s in seats}
    ranking = sorted(seats, key=lambda s: keys[s])
    scores = [keys[s][0] for s in seats]
    end = {
        "reason": reason,
        "closer": closer,
        "ends": table["ends"],
        "scores": scores,
        "ranking": ranking,
    }
    rule = table["rules"]["team_rule"]
    if rule == "none":
        return end
    sums = [scores[0] + scores[2], scores[1] + scores[3]]
    if rule == "winner":
        winner = ranking[0] % 2
        sums[winner] = 0
    else:
        first = min(order.index(s) if s in order else 99 for s in (0, 2))
        second = min(order.index(s) if s in order else 99 for s in (1, 3))
        winner = int(strength(worth[1] + worth[3], second) < strength(worth[0] + worth[2], first))
    return {**end, "team_scores": sums, "winner_team": winner}


def judge_round(code: str, rules: Table, given: Table, number: int, right: int | None) -> None:
    table = judge_deal(code, rules, given, number)
    seat = right_to_start(table, right)
    same(given["starter"], seat, "starter")
    ended = None
    for ply, action in enumerate(given["actions"]):
        demand(ended is None, f"action {ply}: the round was over")
        try:
            judge_action(table, seat, action)
        except Broken as broken:
            raise Broken(f"action {ply}: {broken}") from None
        carry_out(table, seat, action)
        ended = over(table, seat, action["act"])
        if ended is None:
            seat = (seat + 1) % table["players"]
            while not table["hands"][seat]:
                seat = (seat + 1) % table["players"]
    if ended is None:
        raise Broken("the round is not finished")
    expected = outcome(table, *ended)
    for key in expected:
        demand(key in given["end"], f"end.{key} is missing")
        same(given["end"][key], expected[key], f"end.{key}")
    same(sorted(given["end"]), sorted(expected), "keys of end")


# -- The match: R13, R14, R15, R17 ----------------------------------------------------------


def judge_rules(rules: Table) -> None:
    expected = {*CHOICES, "players", "tiles", "absent_level", "match", "stake"}
    same(sorted(rules), sorted(expected), "keys of rules")
    size = [rules["players"], rules["tiles"]]
    demand(size in ([4, 6], [4, 7], [5, 5]), f"{size} is not played")
    for key, allowed in CHOICES.items():
        demand(rules[key] in allowed, f"rules.{key} is {rules[key]}")
    teams, seven = rules["team_rule"] != "none", rules["tiles"] == 7
    demand(not teams or rules["players"] == 4, "teams need four")
    if rules["empty_by_discard"] == "ends":
        demand(rules["unable"] == "discard", "ends under the pass rule")
        demand(rules["team_rule"] != "both_out", "ends with both_out")
    demand(seven or rules["first_lead"] == "0-0", "first_lead without 7 tiles")
    demand(seven or rules["next_lead"] == "double", "next_lead without 7 tiles")
    demand(rules["stake"] is None or rules["on_timeout"] == "autoplay", "a stake needs autoplay")
    lengths: list[Table] = [{"kind": "single"}]
    lengths += [{"kind": "rounds", "n": n} for n in range(2, 21)]
    lengths += [{"kind": "target", "points": points} for points in (25, 50, 100, 101)]
    demand(rules["match"] in lengths, f"rules.match is {rules['match']}")


def match_over(rules: Table, totals: list[int], played: int) -> bool:
    kind = rules["match"]["kind"]
    if kind == "target":
        return any(total >= rules["match"]["points"] for total in totals)
    return played == (1 if kind == "single" else rules["match"]["n"])


def final_order(rules: Table, totals: list[int], ends: list[Table], left: list[int]) -> list[int]:
    teams = rules["team_rule"] != "none"
    table = []
    for side, total in enumerate(totals):
        if teams:
            won = sum(end["winner_team"] == side for end in ends)
            place = 0 if ends and ends[-1]["winner_team"] == side else 1
            gone = False
        else:
            won = sum(end["ranking"][0] == side for end in ends)
            place = ends[-1]["ranking"].index(side) if ends else 0
            gone = side in left
        table.append((gone, total, -won, place, side))
    return [row[-1] for row in sorted(table)]


def next_right(rules: Table, one: Table) -> int:
    """R13."""
    if rules["next_starter"] == "rotate":
        return int((one["starter"] + 1) % rules["players"])
    for seat in one["end"]["ranking"]:
        if rules["team_rule"] == "none" or seat % 2 == one["end"]["winner_team"]:
            return int(seat)
    raise Broken("nobody won")


def judge_seats(rules: Table, record: Table) -> None:
    same([s["seat"] for s in record["seats"]], list(range(rules["players"])), "seats")
    for seat in record["seats"]:
        demand(seat["kind"] in ("human", "bot"), f"seat {seat['seat']} is a {seat['kind']}")
        demand(isinstance(seat["name"], str), f"seat {seat['seat']} has no name")


def judge_result(rules: Table, record: Table, totals: list[int], ends: list[Table]) -> None:
    result, done = record["result"], match_over(rules, totals, len(ends))
    if result is None:
        demand(not done, "result is null but the match is over")
        return
    same(sorted(result), ["left", "order", "reason"], "keys of result")
    reasons = ("played", "voided", "adjudicated", "closed", "cancelled")
    demand(result["reason"] in reasons, f"result.reason is {result['reason']}")
    demand(all(s in range(rules["players"]) for s in result["left"]), "result.left names no seat")
    if result["reason"] == "played":
        demand(done, "result is played but the match is not over")
    if result["reason"] in ("played", "closed"):
        expected = final_order(rules, totals, ends, result["left"])
        same(result["order"], expected, "result.order")


def judge(record: Table) -> str | None:
    """The first thing that is wrong with a record, None when nothing is."""
    place = ""
    try:
        same([record["format"], record["version"]], ["gaple-record", 1], "format")
        uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
        demand(re.fullmatch(uuid, record["code"]) is not None, "code is no UUID")
        rules = record["rules"]
        judge_rules(rules)
        judge_seats(rules, record)
        teams = rules["team_rule"] != "none"
        totals = [0, 0] if teams else [0] * rules["players"]
        right = None
        for number, one in enumerate(record["rounds"], start=1):
            place = f"round {number}: "
            before = number - 1
            demand(before == 0 or not match_over(rules, totals, before), "the match was over")
            judge_round(record["code"], rules, one, number, right)
            for action in one["actions"]:
                bot = record["seats"][action["seat"]]["kind"] == "bot"
                demand(not bot or action["by"] != "player", "a bot's action is by a player")
            sheet = one["end"]["team_scores" if teams else "scores"]
            totals = [total + more for total, more in zip(totals, sheet, strict=True)]
            right = next_right(rules, one)
        place = ""
        same(record["totals"], totals, "totals")
        judge_result(rules, record, totals, [one["end"] for one in record["rounds"]])
    except Broken as broken:
        return place + str(broken)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return f"{place}cannot be read: {error!r}"
    return None


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("Usage: python tests/judge/judge.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        print(f"{arguments[0]} cannot be read: {error}", file=sys.stderr)
        return 2
    violations = rounds = 0
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except ValueError as error:
            complaint: str | None = f"is no JSON: {error}"
        else:
            complaint = judge(record)
            rounds += len(record["rounds"]) if complaint is None else 0
        if complaint:
            violations += 1
            print(f"line {number}: {complaint}")
    print(f"{len(lines)} records, {rounds} rounds judged right, {violations} violations")
    return 1 if violations or not lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
