import Firn
import Foundation
import Testing

/// An element type for tests that are written once for all types.
protocol TestElement: RealmCollectionValue, SendableMetatype {
    /// At least two values, all different; objects are new and unmanaged each time.
    static var samples: [Self] { get }
    /// The classes that the realm needs.
    static var classes: [ObjectBase.Type] { get }
}

extension TestElement {
    static var classes: [ObjectBase.Type] { [] }
}

/// One of the types, as an argument of a test.
struct ElementType: CustomTestStringConvertible, Sendable {
    let type: any TestElement.Type

    var testDescription: String { "\(type)" }

    static let values: [ElementType] = [
        Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Float.self,
        Double.self, String.self, Data.self, Date.self, UUID.self, Decimal128.self, ObjectId.self,
        Hue.self, Size.self,
        Celsius.self, Initial.self,
    ].map { ElementType(type: $0) }

    static let optionals: [ElementType] = [
        Bool?.self, Int?.self, Int8?.self, Int16?.self, Int32?.self, Int64?.self, Float?.self,
        Double?.self, String?.self, Data?.self, Date?.self, UUID?.self, Decimal128?.self,
        ObjectId?.self, Hue?.self, Size?.self,
        Celsius?.self, Initial?.self,
    ].map { ElementType(type: $0) }

    static let all =
        values + optionals + [
            ElementType(type: Toy.self), ElementType(type: AnyRealmValue.self),
        ]
}

/// An object whose collections have elements of any type.
final class Box<E: TestElement>: Object {
    @Persisted var list: List<E>
    @Persisted var other: List<E>

    override class func className() -> String { "Box_\(E.self)".identifier }
}

/// An object with a single property of any type.
final class Cell<E: TestElement & _SingleValue>: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value: E

    override class func className() -> String { "Cell_\(E.self)".identifier }
}

extension String {
    /// The characters that the name of a class may contain.
    var identifier: String { filter { $0.isLetter || $0.isNumber || $0 == "_" } }
}

/// A realm in memory with some classes, for one test.
func makeRealm(_ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: UUID().uuidString, objectTypes: types))
}

enum Hue: String, PersistableEnum {
    case red, green, blue
}

enum Size: Int, PersistableEnum {
    case small = 1
    case large = 1000
}

/// A custom type for which every number is valid.
struct Celsius: CustomPersistable {
    var degrees: Double

    init(_ degrees: Double) { self.degrees = degrees }
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
}

/// A custom type for which only strings with exactly one letter are valid.
struct Initial: FailableCustomPersistable {
    var letter: Character

    init(_ letter: Character) { self.letter = letter }
    init?(persistedValue: String) {
        guard let first = persistedValue.first, persistedValue.count == 1 else { return nil }
        letter = first
    }
    var persistableValue: String { String(letter) }
}

final class Toy: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""

    convenience init(id: Int, name: String = "") {
        self.init()
        self.id = id
        self.name = name
    }
}

extension Bool: TestElement { static var samples: [Bool] { [true, false] } }
extension Int: TestElement { static var samples: [Int] { [3, .min, .max, -1] } }
extension Int8: TestElement { static var samples: [Int8] { [3, .min, .max, -1] } }
extension Int16: TestElement { static var samples: [Int16] { [3, .min, .max, -1] } }
extension Int32: TestElement { static var samples: [Int32] { [3, .min, .max, -1] } }
extension Int64: TestElement { static var samples: [Int64] { [3, .min, .max, -1] } }
extension Float: TestElement {
    static var samples: [Float] { [1.5, -.infinity, .greatestFiniteMagnitude, 0] }
}
extension Double: TestElement {
    static var samples: [Double] { [1.5, -.infinity, .greatestFiniteMagnitude, 0] }
}
extension String: TestElement { static var samples: [String] { ["b", "", "ä", "a\u{0}c"] } }
extension Data: TestElement {
    static var samples: [Data] { [Data([1, 2]), Data(), Data([0]), Data([255])] }
}
extension Date: TestElement {
    static var samples: [Date] {
        [0.5, -1e9, 1e9, 0].map { Date(timeIntervalSince1970: $0) }
    }
}
extension UUID: TestElement {
    static let samples = [
        UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)),
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 2)),
    ]
}
extension Decimal128: TestElement {
    static var samples: [Decimal128] { ["1.5", "-1E+6000", "0"] }
}
extension ObjectId: TestElement {
    static let samples = [
        ObjectId("0102030405060708090a0b0c"), ObjectId("ff0000000000000000000000"),
    ]
}
extension AnyRealmValue: TestElement {
    static var samples: [AnyRealmValue] {
        [.string("a"), .none, .int(3), .date(Date(timeIntervalSince1970: 1))]
    }
}
extension Hue: TestElement { static var samples: [Hue] { [.green, .red, .blue] } }
extension Size: TestElement { static var samples: [Size] { [.large, .small] } }
extension Celsius: TestElement {
    static var samples: [Celsius] { [Celsius(20), Celsius(-3.5)] }
}
extension Initial: TestElement {
    static var samples: [Initial] { [Initial("z"), Initial("ß"), Initial("a")] }
}
extension Toy: TestElement {
    static var samples: [Toy] { [Toy(id: 1), Toy(id: 2), Toy(id: 3), Toy(id: 4)] }
    static var classes: [ObjectBase.Type] { [Toy.self] }
}
extension Optional: TestElement where Wrapped: TestElement & _OptionalCapable {
    static var samples: [Wrapped?] { Wrapped.samples + [nil] }
    static var classes: [ObjectBase.Type] { Wrapped.classes }
}
