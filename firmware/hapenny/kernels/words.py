"""What the words of the kernels' arrays are, and the arrays: all that a board needs beside the viper code itself."""

from array import array

# A disc's state, or a pair's. Words used most come first: those below 32 are reached in one instruction.
X = 0  # disc, hundredths of a millimetre
Y = 1
MOMENT = 2  # 4096 = a standard disc, negative = flipped
X2 = 3  # the other disc of a pair
Y2 = 4
MOMENT2 = 5
FROM_X = 6  # centre of `reach` and `regret`
FROM_Y = 7
REACH = 8  # their radius
COUNT = 9  # sensors picked by `reach`
HALLS = 10
BLOCK = 11  # where `predict` reads and writes: 0, or SECOND for a pair's other disc
LEVEL = 12  # common step of all Halls, microtesla
DOUBT = 13  # sum of 64 ln(variance) over the picked Halls: what chi squared must be paid to be fair
CHI2 = 14  # 64 = one standard deviation squared
NORMAL = 15  # xx xy xm yy ym mm, then the right sides x y m
STEPS = 24  # what `solve_pair` finds
PRIOR = 30  # weight of "a disc of ours has the standard moment"
COLUMNS = 31  # of the grid of `search`
ROWS = 32
LEFT = 33  # first column, against X
TOP = 34  # first row
SPACING = 35
COARSE = 36  # `weigh` allows for a rest wrong by 1 part in 2^COARSE
SIGN = 37  # `spread` takes a disc's field away (1) or back (-1); `search` wants this sign of moment (0: either)
BEST_X = 38  # what `search` finds
BEST_Y = 39
BEST_M = 40
TRIES = 41  # steps of `fit` and `fit_pair`
GAIN_ERROR = 42  # of the model at a sensor, 1/1024
PLACE_ERROR = 43  # of a sensor, hmm
TILT_ERROR = 44  # of a magnet in its disc, 1/1024
STEP_X = 45  # what `solve` finds
STEP_Y = 46
STEP_M = 47
SE_X = 48  # micrometres
SE_Y = 49
SE_M = 50  # 1/4096
BLIND = 51  # Halls left out near X, Y, as `reach` found
QUIET = 52  # variance below which no disc disturbs a Hall
ROWS_OF_HALLS = 53
BUT = 54  # discs that `nearest` passes over
OTHER = 55
PAIR = 56  # six equations of `couple`, seven numbers each: x, y, moment of the first disc, then the other's
MOST = 64  # words of each of the blocks that follow: no reach lists more Halls, ...
SECOND = 32  # ... nor that of a pair more than these; the other disc's numbers come after them
AWAY_X = 98  # place of each picked Hall against the disc
AWAY_Y = 162
SLOPE = 226  # change of the field of a standard disc there, 1024 x a near step
UNIT = 290  # that field
PICK = 354  # the Hall's number
OWN = 418  # variance of what a disc is predicted to do there
VAR = 482  # variance of every Hall's rest
HALL_ROWS = 682  # of each row of Halls, 12 at most: number of the first, y, x of the first, pitch, count
WORDS = 742

LEAST = 3200  # moments that a fit may find
GREATEST = 5000
FAILED = 536870912
LYING = 2150  # hmm: centres nearer than this lie on each other

# The state of a judgement on one line.
EDGE = 0  # how far the disc's edge lies inside the groove as the Halls see it, hmm (negative: clear of it)
SPREAD = 1  # the standard error of that, hmm, at least 8
SEEN = 2  # area that the disc covers as the light sees it, units of 4 hmm^2
NOISE2 = 3  # the variance of that without the disc; 0: no light
SHARE = 4  # standard deviation of a disc's reflection, 1/1024
BLUR = 5  # of an edge over the aperture, hmm
TOTAL = 6  # what `astride` finds: sum of all weights, ...
ON = 7  # ... of those inside the groove, ...
MEAN = 8  # ... of weight and place against EDGE (SPREAD / 8), ...
SQUARE = 9  # ... and of weight and the place's square
JUDGING = 10  # words of this state

SURE = 128  # curves: 4096 exp(-chi^2 / 2) by chi^2 in eighths, then the area under ...
BANDS = 328  # ... a sharp edge by its place in the groove, units of 4 hmm^2 and 4 hmm
CURVES = 457


def words(count):
    """An array of `count` 32-bit numbers."""
    return array("i", bytes(4 * count))


def halves(count):
    """An array of `count` 16-bit numbers."""
    return array("h", bytes(2 * count))


def places(count):
    """An array of `count` unsigned 16-bit numbers."""
    return array("H", bytes(2 * count))
