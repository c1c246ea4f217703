"""Everything that changes a game. Each service is one durable transaction under the game's lock."""
