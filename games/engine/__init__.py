"""The rules of Gaple as pure functions: standard library only, no clock, no database.

A round is its deal and its ordered actions; everything else is derived. Names and numbers
(R1…, E01…, G1…) are those of docs/rules.md.
"""
