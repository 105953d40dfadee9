"""Shared by the bots for Ikasamage and Cheaty Mages: chances of fighters, and the value of bets and casts."""
