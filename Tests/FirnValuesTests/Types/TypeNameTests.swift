import FirnValues
import Testing

@Suite("Names of types")
struct TypeNameTests {
    @Test(
        "A type name is recognized only if all of its bytes match",
        arguments: ["Int", "String?", "UUID"])
    func bytes(name: String) throws {
        #expect(PropertyType(named: "List<\(name)>") != nil)
        #expect(PropertyType(named: "list<\(name.lowercased())>") != nil)
        for other in [
            "List<\u{301}\(name)>", "List<\(name)\u{301}>", "\(name)\u{600}?",
            "List<\(name)\u{600}>",
        ] {
            #expect(PropertyType(named: other) == nil, "\(other)")
        }
    }
}
