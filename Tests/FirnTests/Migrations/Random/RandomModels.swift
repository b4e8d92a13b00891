import Firn
import Foundation

/// A number as a type, so that a class with type parameters can be chosen at run time.
protocol TypeNumber {
    static var number: UInt64 { get }
}

enum NoBits: TypeNumber {
    static var number: UInt64 { 0 }
}

enum ZeroBit<Rest: TypeNumber>: TypeNumber {
    static var number: UInt64 { Rest.number << 1 }
}

enum OneBit<Rest: TypeNumber>: TypeNumber {
    static var number: UInt64 { Rest.number << 1 | 1 }
}

/// Returns the type of a number.
func typeNumber(_ number: UInt64) -> any TypeNumber.Type {
    guard number > 0 else { return NoBits.self }
    func appending<Rest: TypeNumber>(_ rest: Rest.Type) -> any TypeNumber.Type {
        number & 1 == 1 ? OneBit<Rest>.self : ZeroBit<Rest>.self
    }
    return appending(typeNumber(number >> 1))
}

/// The parts of a random class that are not types.
struct RandomTraits {
    static let sampleNames = ["a", "b", "c", "d", "link", "links", "named"]
    var ignored: Set<String>
    var key: String?

    init(ignored: Set<String>, key: String?) {
        self.ignored = ignored
        self.key = key
    }

    init(_ number: UInt64) {
        let names = Self.sampleNames.enumerated()
        ignored = Set(names.filter { number >> UInt64($0.offset) & 1 == 1 }.map(\.element))
        key = [nil, "id", "code"][Int(number >> 8 & 3)]
    }

    var number: UInt64 {
        let bits = Self.sampleNames.enumerated().reduce(UInt64(0)) { sum, name in
            ignored.contains(name.element) ? sum | 1 << UInt64(name.offset) : sum
        }
        return bits | (key == nil ? 0 : key == "id" ? 1 : 2) << 8
    }
}

/// The class `Sample` of a random model: up to four properties of any types, and links.
class RandomSample<A, B, C, D, Target, Traits>: MigratedObject
where
    A: _Persistable, B: _Persistable, C: _Persistable, D: _Persistable,
    Target: ObjectBase & _OptionalCapable, Traits: TypeNumber
{
    override class func _realmObjectName() -> String? { "Sample" }
    override class func ignoredProperties() -> [String] {
        RandomTraits(Traits.number).ignored.sorted()
    }
    override class func primaryKey() -> String? { RandomTraits(Traits.number).key }

    @Persisted var id = 0
    @Persisted var code = ""
    @Persisted var a: A
    @Persisted var b: B
    @Persisted var c: C
    @Persisted var d: D
    @Persisted var link: Target?
    @Persisted var links: List<Target>
    @Persisted var named: Map<String, Target?>
}

/// The class `Target` of a random model, as a top-level class.
class RandomTarget<A: _Persistable, Traits: TypeNumber>: MigratedObject {
    override class func _realmObjectName() -> String? { "Target" }
    override class func ignoredProperties() -> [String] {
        RandomTraits(Traits.number).ignored.sorted()
    }

    @Persisted var name = ""
    @Persisted var a: A
}

/// The class `Target` of a random model, as an embedded class.
class RandomPart<A: _Persistable, Traits: TypeNumber>: EmbeddedObject {
    override class func _realmObjectName() -> String? { "Target" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func ignoredProperties() -> [String] {
        RandomTraits(Traits.number).ignored.sorted()
    }

    @Persisted var name = ""
    @Persisted var a: A
}
