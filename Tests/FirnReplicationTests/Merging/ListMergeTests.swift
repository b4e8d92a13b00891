import FirnTesting
import Testing

@testable import FirnReplication

@Suite("Merges of collections")
struct ListMergeTests {
    @Test(
        "Lists keep insertions from both sides, and lose removals from either side",
        arguments: [
            ("abc", "abc", "axbc", "axbc"), ("abc", "ybc", "abcz", "ybcz"),
            ("abc", "ac", "ab", "a"), ("abc", "aXbc", "aYbc", "aXYbc"), ("", "x", "y", "xy"),
            ("abc", "", "abcd", "d"), ("ab", "ba", "ab", "ba"), ("aa", "aaa", "a", "aa"),
            ("abc", "axbc", "axbc", "axbc"),
        ])
    func lists(base: String, server: String, local: String, expected: String) {
        let merged = ListMerge.list(
            base: Array(base), server: Array(server), local: Array(local))
        #expect(String(merged) == expected)
    }

    @Test("A side without changes takes the value of the other side, whatever it is")
    func oneSided() {
        var random = SplitMix64(seed: TestScale.firstSeed)
        for _ in 0..<TestScale.scaled(2000) {
            let lists = (0..<2).map { _ in (0..<(random.next() % 6)).map { _ in random.next() % 3 }
            }
            #expect(ListMerge.list(base: lists[0], server: lists[1], local: lists[0]) == lists[1])
            #expect(ListMerge.list(base: lists[0], server: lists[0], local: lists[1]) == lists[1])
        }
    }

    @Test("Sets keep additions from both sides, and lose removals from either side")
    func sets() {
        let merged = ListMerge.set(base: [1, 2, 3], server: [1, 3, 4], local: [2, 3, 5])
        #expect(Set(merged) == [3, 4, 5])
    }

    @Test(
        "The text of an array is read back unchanged",
        arguments: [
            [], [nil], ["NULL"], ["", "a b", "{", "}", ",", "\"", "\\", "é\n"], ["1", nil, "2"],
        ] as [[String?]])
    func arrays(elements: [String?]) {
        #expect(ArrayText.elements(ArrayText.text(elements)) == elements)
    }

    @Test(
        "Text that is not an array is refused",
        arguments: ["", "{", "}", "{a", "{{1}}", "{1,}", "{,}", "x", "{\"a}", "{1}2"])
    func wrongArrays(text: String) { #expect(ArrayText.elements(text) == nil) }
}
