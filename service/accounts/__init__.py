"""Users, subscriptions, API keys, saved projects and rate limits; knows neither HTTP nor pixels."""
