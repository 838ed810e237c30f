"""Names that MicroPython holds in its image: as the new name of something of ours, one costs a board no memory."""

# those that a compiled module says by a number, then others of the RP2040's image, short ones
ROM = """
ArithmeticError AssertionError EOFError Ellipsis GeneratorExit IndentationError IndexError KeyError LookupError
MemoryError NameError NotImplementedError OverflowError StopIteration SyntaxError SystemExit TypeError
ZeroDivisionError builtins bytecode callable chr classmethod dir divmod format hash insert isalpha isdigit islower
isspace issubclass isupper iter keys lower lstrip map ord popitem pow readline repr reverse rindex rsplit rstrip sep
setdefault staticmethod to_bytes zip
bl pi rx sd ws ALT CTS EIO GS8 I2C I2S LSB MSB PWM RAW RTC RTS SIO SPI aes alt arg asr bin clz cmp cos cpu cts doc
erf inf irq ldr lsl lsr md5 mem mov mrs nan oct ps1 ps2 rts sck scl sda sin sub tan tau vfs wfi AUTO GPCK GZIP LONG
MONO Task UART UINT ZLIB acos addr and_ argv asin atan blit ceil coro cosh crc8 dump erfc exit fabs fmod hard help
ibuf imag init ldrb ldrh lock log2 math mem8 miso mkfs modf mosi movt movw peek poly prog pull rate rbit real rect
sdiv sha1 sinh span sqrt strb strh sync tanh udiv usys utf8 vcmp vldr vmov vmrs vneg vstr
""".split()  # noqa: SIM905
