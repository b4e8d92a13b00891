import Firn
import Foundation
import Testing

/// Classes that cannot be stored.
enum Wrong {
    class Model: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Part: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var whole: Part?
    }

    class Whole: Model { @Persisted var parts: List<Part> }

    class Left: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var right: List<Right>
    }

    class Right: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var left: Left?
    }

    class Pair: Model { @Persisted var left: Left? }

    class TwoKeys: Model {
        @Persisted(primaryKey: true) var first = 0
        @Persisted(primaryKey: true) var second = ""
    }

    class NoKey: Model {
        override class func primaryKey() -> String? { "key" }
        @Persisted var name = ""
    }

    class BoolKey: Model { @Persisted(primaryKey: true) var key = false }

    class KeyedPart: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var key = 0
    }

    class KeyedWhole: Model { @Persisted var part: KeyedPart? }

    class LongName: Model {
        override class func className() -> String { String(repeating: "x", count: 256) }
        @Persisted var value = 0
    }

    class SameColumns: Model {
        override class func propertiesMapping() -> [String: String] { ["first": "second"] }
        @Persisted var first = 0
        @Persisted var second = 0
    }

    class UnknownMapping: Model {
        override class func propertiesMapping() -> [String: String] { ["frist": "first"] }
        @Persisted var first = 0
    }

    class Unmarked: Model { var name = "" }

    class Base: Model { @Persisted private var hidden = 0 }

    class Derived: Base { @Persisted private var hidden = 0 }

    class NoOrigin: Model {
        @Persisted(originProperty: "toys") var owners: LinkingObjects<Toy>
    }

    class OtherOrigin: Model {
        @Persisted(originProperty: "name") var owners: LinkingObjects<Toy>
    }
}

/// Collections declared as in models for Realm.
enum Bare {
    class Owner: Wrong.Model {
        @Persisted var name = ""
        let toys = List<Toy>()
    }

    class Rest: Wrong.Model {
        let marks = MutableSet<Int>()
        let prices = Map<String, Double?>()
        let owners = LinkingObjects(fromType: Toy.self, property: "rest")
    }

    class Ignored: Wrong.Model {
        override class func ignoredProperties() -> [String] { ["recent"] }
        @Persisted var name = ""
        let recent = List<String>()
        let age = RealmOptional<Int>()
        lazy var drafts = List<String>()
    }
}

/// A model in the style from before property wrappers.
class OldStyle: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func primaryKey() -> String? { "name" }
    override class func indexedProperties() -> [String] { ["age"] }
    override class func ignoredProperties() -> [String] { ["draft"] }

    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var draft = ""
}

/// Another class of the same name.
enum OtherNames {
    class Toy: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var name = ""
    }
}

@Suite("Rules for models")
struct ModelRulesTests {
    @Test("Embedded objects that contain themselves stop the program")
    func cycles() async {
        let direct = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.Whole.self]) }
        #expect(message(of: direct).contains("cannot contain themselves: Part.whole"))
        let indirect = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.Pair.self]) }
        #expect(message(of: indirect).contains("cannot contain themselves: Left.right.left"))
    }

    @Test("Embedded objects without a parent class stop the program")
    func unreachable() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Toy.self, Seat.self]) }
        #expect(message(of: result).contains("no top-level class leads to Seat"))
    }

    @Test("A property that cannot be a primary key stops the program")
    func keys() async {
        let two = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.TwoKeys.self]) }
        #expect(message(of: two).contains("first and second are both the primary key of TwoKeys"))
        let bool = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.BoolKey.self]) }
        #expect(message(of: bool).contains("BoolKey.key cannot be the primary key: it is Bool"))
        let missing = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.NoKey.self]) }
        #expect(message(of: missing).contains("the primary key key is not a property of NoKey"))
        let embedded = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.KeyedWhole.self]) }
        #expect(message(of: embedded).contains("KeyedPart is embedded"))
    }

    @Test("Invalid and ambiguous names stop the program")
    func names() async {
        let long = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.LongName.self]) }
        #expect(message(of: long).contains("must have 1 to 255 bytes"))
        let columns = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.SameColumns.self]) }
        #expect(message(of: columns).contains("several properties of SameColumns have the column"))
        let mapping = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.UnknownMapping.self]) }
        #expect(message(of: mapping).contains("names frist, which is not a property"))
        let twice = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.Derived.self]) }
        #expect(message(of: twice).contains("Derived.hidden is declared in several classes"))
        let classes = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Toy.self, OtherNames.Toy.self]) }
        #expect(message(of: classes).contains("Toy appears more than once"))
    }

    @Test("Classes without persisted properties, and inverses without an origin, stop the program")
    func others() async {
        let unmarked = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.Unmarked.self]) }
        #expect(message(of: unmarked).contains("Unmarked has no persisted property"))
        let missing = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.NoOrigin.self]) }
        #expect(message(of: missing).contains("inverse of Toy.toys, which does not exist"))
        let other = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try makeRealm([Wrong.OtherOrigin.self]) }
        #expect(message(of: other).contains("inverse of Toy.name, which does not lead to"))
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([DynamicObject.self])
        }.says("the classes cannot be stored: DynamicObject stands for")
    }

    /// They are properties for Realm; here they were silently not stored, and their content was
    /// lost.
    @Test("Collections without @Persisted stop the program")
    func bareCollections() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([Bare.Owner.self])
        }.says(
            "Owner.toys would not be stored: declare it as @Persisted var toys: List<Toy>, or name it in "
                + "ignoredProperties()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([Bare.Rest.self])
        }.says(
            "Rest.marks would not be stored: declare it as @Persisted var marks: MutableSet<Int>",
            "Rest.prices would not be stored: declare it as @Persisted var prices: Map<String, ",
            "Rest.owners would not be stored: declare it as @Persisted(originProperty: \"...\") var "
                + "owners: LinkingObjects<Toy>")
    }

    @Test("Ignored collections and boxed properties are accepted")
    func ignoredCollections() throws {
        let realm = try makeRealm([Bare.Ignored.self])
        let schema = try #require(realm.schema["Ignored"])
        #expect(schema.properties.map(\.name) == ["name", "age"])
    }

    @Test("A model that declares its key, indexes and ignored properties in functions is accepted")
    func functions() throws {
        let realm = try makeRealm([OldStyle.self])
        let schema = try #require(realm.schema["OldStyle"])
        #expect(schema.properties.map(\.name) == ["name", "age"])
        #expect(schema.primaryKeyProperty?.name == "name")
        #expect(schema["age"]?.isIndexed == true)
        try realm.write {
            let ann = OldStyle(value: ["Ann", 3])
            ann.draft = "x"
            realm.add(ann)
            #expect(ann.draft == "x")
            ann.draft = "y"
            #expect(ann.draft == "y")
        }
        #expect(realm.object(ofType: OldStyle.self, forPrimaryKey: "Ann")?.draft == "")
    }

    @Test("Linked classes that are not listed are added automatically")
    func reachable() throws {
        let realm = try makeRealm([Household.self])
        #expect(realm.objects(Pet.self).isEmpty)
    }
}
