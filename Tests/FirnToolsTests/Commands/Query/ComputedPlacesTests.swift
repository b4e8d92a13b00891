import FirnTesting
import FirnTools
import Testing

@Suite("Computed numbers of columns with decimal places")
struct ComputedPlacesTests {
    private func query(_ text: String) throws -> String {
        let harness = CommandHarness()
        let file = harness.folder("p.firn")
        let made = harness.run(
            ["create", file, "--from", "P=-", "-q"],
            input: "item,price,n\na,10.10,1\nb,9.50,2\nc,3.07,3\nd,0.10,4\ne,0.20,5\n")
        try #require(made.status == 0, "\(made.errors)")
        let run = harness.run(["query", file, text, "-f", "csv", "--no-header"])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    /// The sum printed 22.970000000000002, and 10.10 times three 30.299999999999997.
    @Test(
        "A rounding error is not printed",
        arguments: [
            ("P | select(@sum.price AS s)", "22.97\n"),
            ("P item == \"a\" | select(price * 3)", "30.30\n"),
            ("P item == \"d\" | select(price * 3)", "0.30\n"),
            ("P item == \"c\" | select(price * n)", "9.21\n"),
            ("P item == \"e\" | select(price + 0.1)", "0.30\n"),
            ("P | group(item; @sum.price AS s) | select(@sum.s AS t)", "22.97\n"),
            ("P item == \"a\" | select(price * price)", "102.0100\n"),
            ("P item == \"a\" | select(price / 2)", "5.05\n"),
        ])
    func rounded(text: String, expected: String) throws {
        #expect(try query(text) == expected)
    }

    @Test("Digits that are more than a rounding error are printed")
    func digits() throws {
        #expect(try query("P | select(@avg.price AS a)") == "4.594\n")
        #expect(try query("P item == \"a\" | select(price / 3)").hasPrefix("3.3666666"))
        #expect(try query("P | select(@max.price AS m)") == "10.10\n")
    }
}
