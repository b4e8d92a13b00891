import Firn
import Foundation
import Testing

/// Functions that know only the protocols of a collection, as generic code of programs does.
///
/// Most of them are here to be compiled: a requirement that the compiler cannot solve, or an overload
/// that it must not choose, shows there.
private enum Generic {
    // MARK: Requirements on elements

    static func optionals<T: RealmCollection, U: RealmCollectionValue>(_ values: T) -> [U]
    where T.Element == U? { values.compactMap { $0 } }

    static func stored<T: RealmCollection>(_ values: T) -> [T.Element.PersistedType]
    where T.Element: CustomPersistable { values.map(\.persistableValue) }

    static func twice<T: RealmCollection, U: RealmCollection>(_ left: T, _ right: U) -> Bool
    where T.Element == U.Element, T.Element: Equatable { Array(left) == Array(right) }

    static func sum<T: RealmCollection>(_ values: T) -> T.Element
    where T.Element.PersistedType: AddableType { values.sum() }

    static func range<T: RealmCollection>(_ values: T) -> [T.Element?]
    where T.Element.PersistedType: MinMaxType { [values.min(), values.max()] }

    static func average<T: RealmCollection>(_ values: T) -> Double?
    where T.Element.PersistedType: AddableType { values.average() }

    static func sorted<T: RealmCollection>(_ values: T) -> [T.Element]
    where T.Element.PersistedType: SortableType { Array(values.sorted(ascending: false)) }

    static func inserted<T: RealmCollectionValue>(_ value: T, into values: List<T>) -> Int {
        values.append(value)
        return values.count
    }

    static func members<T: RealmCollectionValue>(_ set: MutableSet<T>, _ value: T) -> Bool {
        set.contains(value)
    }

    static func keys<T: RealmKeyedCollection>(_ map: T) -> [T.Key] { map.keys }

    static func total<T: RealmKeyedCollection>(_ map: T, _ name: String) -> Int {
        map.sum(ofProperty: name)
    }

    // MARK: Requirements on objects

    static func first<T: Object>(_ type: T.Type, _ realm: Realm) -> T? { realm.objects(type).first }

    static func sections<T: RealmCollection, Key: _Persistable & Hashable>(
        _ objects: T, _ keyPath: KeyPath<T.Element, Key>
    ) -> [Key] where T.Element: ObjectBase { objects.sectioned(by: keyPath).allKeys }

    static func sections<T: RealmCollection, Key: _Persistable & Hashable>(
        of objects: T, _ block: @escaping (T.Element) -> Key
    ) -> [Key] { objects.sectioned(by: block, sortDescriptors: ["size"]).allKeys }

    static func sizes<T: RealmCollection>(_ objects: T) -> [Int] where T.Element: Tyre {
        objects.sectioned(by: \.size).allKeys
    }

    static func ordered<T: RealmCollection, V: _HasPersistedType>(
        _ objects: T, _ keyPath: KeyPath<T.Element, V>
    ) -> Results<T.Element>
    where T.Element: ObjectBase, V.PersistedType: SortableType { objects.sorted(by: keyPath) }

    static func lowest<T: RealmCollection, V: _HasPersistedType>(
        _ objects: T, _ keyPath: KeyPath<T.Element, V>
    ) -> V?
    where T.Element: ObjectBase, V.PersistedType: MinMaxType { objects.min(of: keyPath) }

    static func matching<T: RealmCollection>(
        _ objects: T, _ condition: (Query<T.Element>) -> Query<Bool>
    ) -> Results<T.Element> where T.Element: ObjectBase { objects.where(condition) }

    static func frozen<T: ThreadConfined>(_ value: T) -> T { value.freeze() }

    static func projected<P: Projection<Tyre>>(_ type: P.Type, _ realm: Realm) -> Results<P> {
        realm.objects(type)
    }
}

private struct Weight: CustomPersistable, Equatable {
    var grams: Int
    init(_ grams: Int) { self.grams = grams }
    init(persistedValue: Int) { grams = persistedValue }
    var persistableValue: Int { grams }
}

private class Tyre: Object {
    @Persisted var size = 0
    @Persisted var weight: Weight
    @Persisted var weights: List<Weight>
    @Persisted var spares: List<Int?>
    @Persisted var parts: Map<String, Weight>
    @Persisted var heavy: MutableSet<Weight>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class TyreView: Projection<Tyre> {
    @Projected(\Tyre.size) var size
}

@Suite("Generic code")
struct GenericCodeTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Tyre.self]))
        try realm.write {
            for size in [3, 1, 3] {
                let wheel = Tyre()
                wheel.size = size
                wheel.weight = Weight(size * 10)
                wheel.weights.append(objectsIn: [Weight(1), Weight(size)])
                wheel.spares.append(objectsIn: [nil, 4])
                wheel.parts["hub"] = Weight(size)
                wheel.heavy.insert(Weight(7))
                realm.add(wheel)
            }
        }
    }

    @Test("Custom types based on numbers have sums, averages, minima and maxima")
    func customNumbers() throws {
        let wheels = realm.objects(Tyre.self)
        let first = try #require(wheels.first)
        #expect(Generic.sum(first.weights) == Weight(4))
        #expect(Generic.average(first.weights) == 2)
        #expect(first.weights.average() == Weight(2))
        #expect(Generic.range(first.weights) == [Weight(1), Weight(3)])
        #expect(wheels.sum(of: \.weight) == Weight(70))
        #expect(wheels.max(of: \.weight) == Weight(30))
        #expect(first.parts.sum() == Weight(3))
        #expect(first.heavy.sum() == Weight(7))
        let unmanaged = List<Weight>()
        #expect(unmanaged.sum() == Weight(0))
        unmanaged.append(objectsIn: [Weight(2), Weight(5)])
        #expect(unmanaged.sum() == Weight(7) && unmanaged.max() == Weight(5))
    }

    @Test("Generic functions over collection protocols behave like direct calls")
    func protocols() throws {
        let wheels = realm.objects(Tyre.self)
        let first = try #require(Generic.first(Tyre.self, realm))
        #expect(Generic.optionals(first.spares) == [4])
        #expect(Generic.stored(first.weights) == [1, 3])
        #expect(Generic.twice(first.weights, first.weights.sorted(ascending: true)))
        #expect(Generic.keys(first.parts) == ["hub"])
        #expect(Generic.members(first.heavy, Weight(7)))
        #expect(Generic.sorted(first.spares) == [4, nil])
        #expect(Generic.inserted(1, into: List<Int>()) == 1)
        #expect(Generic.matching(wheels) { $0.size == 1 }.count == 1)
        #expect(Generic.ordered(wheels, \.weight).map(\.size) == [1, 3, 3])
        #expect(Generic.lowest(wheels, \.weight) == Weight(10))
        #expect(Generic.projected(TyreView.self, realm).map(\.size) == [3, 1, 3])
        #expect(Generic.frozen(wheels).isFrozen)
    }

    /// The overload for values was chosen, and stopped the program.
    @Test("Sections by a key path of a generic object equal the sections of its property")
    func sections() {
        let wheels = realm.objects(Tyre.self)
        #expect(Generic.sections(wheels, \.size) == [1, 3])
        #expect(Generic.sizes(wheels) == [1, 3])
        #expect(Generic.sections(of: wheels) { $0.size % 2 } == [1])
    }
}
