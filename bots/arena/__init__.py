"""Evaluations that the bots for Ikasamage and Cheaty Mages share: the fighters' chances to win, and the values of bets
and casts.
"""
