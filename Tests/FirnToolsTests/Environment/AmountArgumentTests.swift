import FirnEngine
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnTools

@Suite("Durations, sizes and versions as arguments")
struct AmountArgumentTests {
    @Test(
        "Durations need a unit",
        arguments: [
            ("250ms", 250_000_000 as UInt64), ("5s", 5_000_000_000), ("2m", 120_000_000_000),
            ("1h", 3_600_000_000_000), ("7d", 604_800_000_000_000),
            ("2w", 1_209_600_000_000_000), ("0", 0), ("0s", 0),
        ])
    func spans(text: String, nanoseconds: UInt64) {
        #expect(TimeSpan(argument: text)?.nanoseconds == nanoseconds)
    }

    @Test(
        "Invalid durations are refused",
        arguments: [
            "", "5", "s", "-5s", "5 s", "5S", "5y", "1.5h", "५s", "5s5s",
            "99999999999999999999s", "30000w0", "18446744073709551615h",
        ])
    func noSpans(text: String) { #expect(TimeSpan(argument: text) == nil) }

    @Test(
        "An expiry is a duration from now or never",
        arguments: [("7d", 604_800 as Int64?), ("1ms", 1), ("1500ms", 2), ("never", nil)])
    func expiries(text: String, seconds: Int64?) throws {
        let expiry = try #require(Expiry(argument: text))
        #expect(expiry.seconds(from: 1000) == seconds.map { $0 + 1000 })
    }

    @Test("Invalid expiries, and those out of range, are refused")
    func expiryLimits() throws {
        for text in ["0", "0d", "", "Never", "-1d"] { #expect(Expiry(argument: text) == nil) }
        let long = try #require(Expiry(argument: "30000w"))
        #expect(long.seconds(from: .max - 1) == .max)
    }

    @Test(
        "Sizes are powers of 1024",
        arguments: [
            ("0", 0 as UInt64), ("512", 512), ("64K", 65_536), ("64k", 65_536), ("10M", 10 << 20),
            ("10MiB", 10 << 20), ("2G", 2 << 30), ("1T", 1 << 40), ("7B", 7),
        ])
    func sizes(text: String, count: UInt64) {
        #expect(ByteSize(argument: text)?.count == count)
    }

    @Test(
        "Invalid sizes are refused",
        arguments: ["", "K", "-1", "1.5M", "1P", "10 M", "99999999999999999999T"]
    )
    func noSizes(text: String) { #expect(ByteSize(argument: text) == nil) }

    @Test("A percentage is from 0 to 100, with or without a percent sign")
    func percentages() throws {
        #expect(Percentage(argument: "30%")?.percent == 30)
        #expect(Percentage(argument: "30")?.percent == 30)
        #expect(Percentage(argument: "0")?.percent == 0)
        #expect(Percentage(argument: "100%")?.percent == 100)
        for text in ["", "%", "101", "-1", "30%%", "3.5", "x"] {
            #expect(Percentage(argument: text) == nil, "\(text)")
        }
        let third = try #require(Percentage(argument: "30"))
        #expect(third.isReached(by: 30, of: 100))
        #expect(!third.isReached(by: 29, of: 100))
        #expect(third.isReached(by: .max, of: .max))
    }

    @Test("A version is a number, a name, or a number of commits back")
    func versions() {
        #expect(VersionArgument(argument: "40")?.reference == .number(.init(40)))
        #expect(VersionArgument(argument: "@-3")?.reference == .back(3))
        #expect(VersionArgument(argument: "before-import")?.reference == .freeze("before-import"))
        #expect(VersionArgument(argument: "2026-11-21")?.reference == .freeze("2026-11-21"))
        for text in [
            "", "@", "@3", "@-", "@-x", "@before", "-x", "a/b", "99999999999999999999", "a\u{7}",
            String(repeating: "x", count: 256),
        ] {
            #expect(VersionArgument(argument: text) == nil, "\(text)")
        }
    }

    @Test("Ages have a suitable unit")
    func ages() {
        let ages: [(UInt64, String)] = [
            (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"),
            (172_799, "47 h"), (172_800, "2 days"), (86_400_000, "1,000 days"),
        ]
        for (seconds, text) in ages { #expect(Formatting.age(seconds) == text) }
        #expect(TimeSpan(nanoseconds: 250_000_000).text == "250 ms")
        #expect(TimeSpan(nanoseconds: 5_000_000_000).text == "5 s")
    }
}
