// Pass
