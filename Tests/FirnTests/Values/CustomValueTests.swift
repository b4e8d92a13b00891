import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Custom types")
struct CustomValueTests {
    @Test("Custom types can be properties", arguments: ElementType.values + ElementType.optionals)
    func properties(_ element: ElementType) throws {
        func run<E: TestElement & _SingleValue>(_ type: E.Type) throws {
            let realm = try makeRealm([Cell<E>.self])
            for (index, sample) in E.samples.enumerated() {
                let cell = Cell<E>()
                cell.id = index
                cell.value = sample
                #expect(cell.value == sample)
                try realm.write { realm.add(cell) }
                #expect(cell.value == sample)
                try realm.write { cell.value = E.samples[0] }
                #expect(cell.value == E.samples[0])
            }
        }
        func open(_ type: any TestElement.Type) throws {
            guard let type = type as? any (TestElement & _SingleValue).Type else { return }
            try run(type)
        }
        try open(element.type)
    }

    @Test(
        "A custom type starts with the initial value of its stored type or its first case"
    )
    func defaults() throws {
        let object = Weather()
        #expect(object.hue == .red)
        #expect(object.maybeHue == nil)
        #expect(object.high == Celsius(0))
        #expect(object.place == Place(x: 0, y: 0))
        #expect(object.initial == Initial("q"))
    }

    @Test("A custom type can be stored as an embedded object")
    func embedded() throws {
        let realm = try makeRealm([Weather.self])
        let object = Weather()
        object.place = Place(x: 1, y: 2)
        object.places.append(objectsIn: [Place(x: 3, y: 4), Place(x: 5, y: 6)])
        try realm.write { realm.add(object) }
        #expect(object.place == Place(x: 1, y: 2))
        #expect(object.maybePlace == nil)
        try realm.write {
            object.place = Place(x: 7, y: 8)
            object.maybePlace = Place(x: 9, y: 9)
            object.places[0] = Place(x: 0, y: 0)
        }
        #expect(object.place == Place(x: 7, y: 8))
        #expect(object.maybePlace == Place(x: 9, y: 9))
        #expect(Array(object.places) == [Place(x: 0, y: 0), Place(x: 5, y: 6)])
        try realm.write { object.maybePlace = nil }
        #expect(object.maybePlace == nil)
    }

    @Test("Custom types can be primary keys")
    func keys() throws {
        let realm = try makeRealm([HueKey.self, CelsiusKey.self])
        try realm.write {
            for hue in Hue.allCases {
                let object = HueKey()
                object.id = hue
                realm.add(object)
            }
            let object = CelsiusKey()
            object.id = Level(3)
            realm.add(object)
        }
        #expect(realm.object(ofType: HueKey.self, forPrimaryKey: Hue.green)?.id == .green)
        #expect(realm.object(ofType: HueKey.self, forPrimaryKey: "green")?.id == .green)
        #expect(realm.object(ofType: CelsiusKey.self, forPrimaryKey: Level(3)) != nil)
        #expect(realm.object(ofType: CelsiusKey.self, forPrimaryKey: Level(4)) == nil)
    }

    @Test("An invalid stored value becomes nil if the property is optional")
    func unknownValues() throws {
        let folder = TemporaryFolder()
        let realm = try folder.realmWithUnknownHues([HueReader.self])
        let object = try #require(realm.objects(HueReader.self).first)
        #expect(object.maybeHue == nil)
        #expect(Array(object.maybeInitials) == [Initial("a"), nil, nil])
    }

    @Test("A custom type without an initial value stops the program")
    func noDefault() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Cell<Initial>().value
        }.says("a property of type Initial needs an initial value: what")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UncountedCell().value
        }.says("Uncounted has no cases in allCases: add one, give the property an initial")
    }

    @Test("An enumeration with an initial value does not need allCases")
    func noCases() throws {
        let realm = try makeRealm([UncountedOwner.self])
        try realm.write { realm.add(UncountedOwner()) }
        let owner = try #require(realm.objects(UncountedOwner.self).first)
        #expect(owner.given == .only && owner.maybe == nil)
    }

    @Test("An invalid stored value of a required property stops the program")
    func unknownRequiredValues() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = TemporaryFolder()
            let realm = try folder.realmWithUnknownHues([HueReader.self])
            _ = realm.objects(HueReader.self).first?.hue
        }.says("no colour is not of type Hue: make what holds it optional, to read nil")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = TemporaryFolder()
            let realm = try folder.realmWithUnknownHues([HueReader.self])
            _ = realm.objects(HueReader.self).first?.initials[1]
        }.says("bc is not of type Initial: make what holds it optional, to read nil")
    }
}

extension TemporaryFolder {
    /// A realm in which enumerations and custom types find unknown values.
    fileprivate func realmWithUnknownHues(_ types: [ObjectBase.Type]) throws -> Realm {
        let url = URL(fileURLWithPath: self("hues.firn"))
        do {
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: url, objectTypes: [HueWriter.self]))
            try realm.write { realm.add(HueWriter()) }
        }
        return try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: types))
    }
}

/// Declares its cases, and leaves them out.
enum Uncounted: String, PersistableEnum {
    case only

    static var allCases: [Uncounted] { [] }
}

class UncountedCell: Object {
    @Persisted var value: Uncounted

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class UncountedOwner: Object {
    @Persisted var given = Uncounted.only
    @Persisted var maybe: Uncounted?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class HueWriter: Object {
    @Persisted var hue = "no colour"
    @Persisted var maybeHue: String? = "no colour"
    @Persisted var initials: List<String>
    @Persisted var maybeInitials: List<String?>

    required init() {
        super.init()
        initials.append(objectsIn: ["a", "bc"])
        maybeInitials.append(objectsIn: ["a", "bc", nil])
    }

    override class func className() -> String { "Hues" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class HueReader: Object {
    @Persisted var hue: Hue
    @Persisted var maybeHue: Hue?
    @Persisted var initials: List<Initial>
    @Persisted var maybeInitials: List<Initial?>

    override class func className() -> String { "Hues" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Weather: Object {
    @Persisted var hue: Hue
    @Persisted var maybeHue: Hue?
    @Persisted var high: Celsius
    @Persisted var place: Place
    @Persisted var maybePlace: Place?
    @Persisted var places: List<Place>
    @Persisted var initial = Initial("q")
}

class HueKey: Object {
    @Persisted(primaryKey: true) var id: Hue
    @Persisted(indexed: true) var other: Hue?
}

class CelsiusKey: Object {
    @Persisted(primaryKey: true) var id: Level?
}

struct Level: CustomPersistable {
    var number: Int
    init(_ number: Int) { self.number = number }
    init(persistedValue: Int) { number = persistedValue }
    var persistableValue: Int { number }
}

/// A type that is stored as an embedded object.
struct Place: CustomPersistable {
    var x: Int
    var y: Int

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    init(persistedValue: StoredPlace) {
        self.init(x: persistedValue.x, y: persistedValue.y)
    }

    var persistableValue: StoredPlace { StoredPlace(value: ["x": x, "y": y]) }
}

class StoredPlace: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y = 0
}
