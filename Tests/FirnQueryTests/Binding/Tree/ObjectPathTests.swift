import FirnEngine
import FirnQuery
import FirnValues
import Testing

/// Conditions on the objects at the end of a path were once evaluated on the class before them.
///
/// A path such as `links.link` is a collection and a to-one link: its steps end at the objects of
/// `links`, and its terminal is their property `link`. `SUBQUERY` and `GEOWITHIN` bound their
/// condition to the class of the terminal and evaluated it on the objects of the steps. Column
/// number 1 of one class was read as column number 1 of the other: the result had other objects, or
/// an intact file was reported as damaged. A path to objects is now a type of its own, whose class
/// is the target class of its steps.
@Suite("Conditions on the objects of a path")
struct ObjectPathTests {
    private static func store() throws -> LinkedStore {
        let classes = [
            ClassDefinition(
                name: "Target",
                properties: [
                    LinkedStore.property("pad", .string), LinkedStore.property("n", .int),
                ], keyName: nil),
            ClassDefinition(
                name: "Link",
                properties: [
                    LinkedStore.property("text", .string), LinkedStore.property("number", .int),
                    LinkedStore.property("link", .link, target: "Target"),
                ], keyName: nil),
            ClassDefinition(
                name: "Parent",
                properties: [LinkedStore.property("links", .link, .list, target: "Link")],
                keyName: nil),
        ]
        return try LinkedStore(
            classes,
            [
                "Target": [[.string("a"), .int(7)], [.string("b"), .int(8)]],
                // The second column of a Link is 1 where that of its Target is 7 or 8.
                "Link": [
                    [.string("x"), .int(1), LinkedStore.link(1, 0)],
                    [.string("y"), .int(1), LinkedStore.link(1, 1)],
                    [.string("z"), .int(1), .null],
                ],
                "Parent": [
                    [.list([LinkedStore.link(2, 0), LinkedStore.link(2, 2)])],
                    [.list([LinkedStore.link(2, 1), LinkedStore.link(2, 1)])], [.list([])],
                ],
            ])
    }

    @Test(
        "SUBQUERY over a collection and a to-one link tests the targets of the link",
        arguments: [
            ("$x.n == 1", "> 0", []), ("$x.n == 7", "> 0", [0]), ("$x.n == 8", "== 2", [1]),
            ("$x.pad == \"a\"", "== 1", [0]), ("$x.n > 0", "== 0", [2]),
        ] as [(String, String, [UInt64])])
    func subquery(condition: String, count: String, expected: [UInt64]) throws {
        let text = "Parent SUBQUERY(links.link, $x, \(condition)).@count \(count)"
        #expect(try Self.store().ids(text) == expected)
    }

    @Test("SUBQUERY over backlinks and a to-one link tests the targets of the link")
    func backlinks() throws {
        let text = "Link SUBQUERY(@links.Parent.links.links.link, $x, $x.n == 8).@count > 0"
        #expect(try Self.store().ids(text) == [1])
    }

    @Test(
        "GEOWITHIN over a collection and a to-one link tests the points, not their owners"
    )
    func places() throws {
        let classes = [
            ClassDefinition(
                name: "Place",
                properties: [
                    LinkedStore.property("type", .string),
                    LinkedStore.property("coordinates", .double, .list),
                ], keyName: nil),
            ClassDefinition(
                name: "City",
                properties: [
                    LinkedStore.property("loc", .link, target: "Place"),
                    LinkedStore.property("near", .link, .list, target: "City"),
                ], keyName: nil),
        ]
        let store = try LinkedStore(
            classes,
            [
                "Place": [
                    [.string("Point"), .list([.double(10), .double(60)])],
                    [.string("Point"), .list([.double(20), .double(0)])],
                ],
                "City": [
                    [LinkedStore.link(1, 0), .list([])],
                    [LinkedStore.link(1, 1), .list([LinkedStore.link(2, 0)])],
                    [.null, .list([LinkedStore.link(2, 1)])],
                ],
            ])
        let region = "geoBox([5, 55], [15, 65])"
        #expect(try store.ids("City ANY near.loc GEOWITHIN \(region)") == [1])
        #expect(try store.ids("City NONE near.loc GEOWITHIN \(region)") == [0, 2])
        #expect(try store.ids("City loc GEOWITHIN \(region)") == [0])
    }
}
