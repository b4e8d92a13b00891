import Testing

@testable import FirnServe

@Suite("Parameters in a URL")
struct QueryItemsTests {
    @Test(
        "Names and values are decoded",
        arguments: [
            ("a=1&b=2", ["a=1", "b=2"]), ("", []), ("&&a&", ["a="]), ("a==", ["a=="]),
            ("q=x+y%20z", ["q=x y z"]), ("%C3%A4=%F0%9F%90%B6", ["\u{E4}=\u{1F436}"]),
            ("a=%2b%2B%26%3d", ["a=++&="]), ("a=%00", ["a=\0"]),
        ])
    func decoding(text: String, expected: [String]) throws {
        let items = try #require(QueryItems(text[...]))
        #expect(items.names.map { "\($0)=\(items.values($0)[0])" } == expected)
    }

    @Test(
        "Invalid UTF-8 and invalid percent encoding are refused",
        arguments: ["a=%", "a=%1", "a=%zz", "%G0=1", "a=%ff", "a=%C3", "a=%C0%80", "a=%ED%A0%80"])
    func hostile(text: String) { #expect(QueryItems(text[...]) == nil) }

    @Test("Names are compared as bytes")
    func bytes() throws {
        let items = try #require(QueryItems("%C3%A9=1&e%CC%81=2"))
        #expect(items.values("\u{E9}") == ["1"] && items.values("e\u{301}") == ["2"])
    }
}
