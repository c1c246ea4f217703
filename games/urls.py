from django.urls import path

from .views import hosting, pages, rounds, tables

app_name = "games"

urlpatterns = [
    path("", pages.front, name="front"),
    path("play-now/", pages.play_now, name="play_now"),
    path("games/", pages.mine, name="mine"),
    path("games/finished/", pages.finished, name="finished"),
    path("games/next/", pages.next_game, name="next"),
    path("rules/", pages.rules, name="rules"),
    path("tables/", pages.tables, name="open_tables"),
    path("tables/new/", hosting.new, name="new"),
    path("tables/paragraph/", hosting.paragraph, name="paragraph"),
    path("i/<str:token>/", hosting.invitation, name="invitation"),
    path("t/<uuid:code>/", tables.table, name="table"),
    path("t/<uuid:code>/act/", tables.act, name="act"),
    path("t/<uuid:code>/join/", tables.join, name="join"),
    path("t/<uuid:code>/phrase/", tables.phrase, name="phrase"),
    path("t/<uuid:code>/start/", tables.start, name="start"),
    path("t/<uuid:code>/fill/", tables.fill, name="fill"),
    path("t/<uuid:code>/cancel/", tables.cancel, name="cancel"),
    path("t/<uuid:code>/leave/", tables.leave, name="leave"),
    path("t/<uuid:code>/free-seat/", tables.free_seat, name="free_seat"),
    path("t/<uuid:code>/new-link/", tables.new_link, name="new_link"),
    path("t/<uuid:code>/take-back/", tables.take_back, name="take_back"),
    path("t/<uuid:code>/leave-match/", tables.leave_match, name="leave_match"),
    path("t/<uuid:code>/vote-cancel/", tables.vote_cancel, name="vote_cancel"),
    path("t/<uuid:code>/rematch/", tables.rematch, name="rematch"),
    path("t/<uuid:code>/open-replays/", tables.open_replays, name="open_replays"),
    path("t/<uuid:code>/round/<int:number>/", rounds.round_end, name="round"),
    path("t/<uuid:code>/round/<int:number>/replay/", rounds.replay, name="replay"),
    path("t/<uuid:code>/round/<int:number>/deal/", rounds.deal, name="deal"),
    path("t/<uuid:code>/record.json", rounds.record, name="record"),
]
