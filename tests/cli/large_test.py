"""Files beyond 16 MiB: query maps them and checks the header; --check reads them whole."""

from support import CommandTest, lines, main

LARGE = ("-n", "15000000", "-p", "0.01")  # 17 MiB


class Query(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(100), options=LARGE)
        self.assertGreater(len(self.read("f")), 16 << 20)

    def damage(self, at):
        data = bytearray(self.read("f"))
        data[at] ^= 0x10
        self.write("f", data)

    def test_it_answers(self):
        self.seen("query", "f", stdin=lines("x", *range(100)), out=lines(*range(100)), err="")
        self.seen("query", "--check", "f", stdin=lines("x", *range(100)), out=lines(*range(100)), err="")

    def test_a_damaged_body_is_found_by_check_alone(self):
        self.damage(-100_000)
        self.seen("query", "f", stdin=lines(*range(100)), out=lines(*range(100)), err="")
        self.refuses("f: offset .* do not match their checksum", "query", "--check", "f", stdin=lines("1"))

    def test_a_damaged_header_is_always_found(self):
        self.damage(60)
        self.refuses("f: offset .*the header's checksum", "query", "f", stdin=lines("1"))

    def test_a_file_cut_short_is_always_found(self):
        self.write("f", self.read("f")[:-8])
        self.refuses("f: offset 16: the header says .* bytes, the file has", "query", "f", stdin=lines("1"))

    def test_a_keyed_one_needs_its_secret(self):
        self.build("k", "x", options=(*LARGE, "--hash", "siphash-1-3", "--new-secret", "key"))
        self.refuses(r"k: .*\(--secret-file FILE\)", "query", "k", stdin=lines("x"))
        self.seen("query", "k", "--secret-file", "key", stdin=lines("x", "y"), out=lines("x"), err="")


if __name__ == "__main__":
    main()
