"""Sheet metal: the folded part as walls and bends, the flat pattern, and the flat folded back."""
