import Firn
import Foundation
import Testing

@Suite("Maps")
struct MapTests {
    /// Passes unmanaged and managed maps with all samples, and a way to change them, to the body.
    private func check<E: TestElement>(
        _ type: E.Type,
        _ body: (_ bag: MapBag<E>, _ samples: [E], _ change: (() -> Void) throws -> Void) throws ->
            Void
    ) throws {
        let plain = MapBag<E>()
        let unmanaged = E.samples
        fill(plain, unmanaged)
        try body(plain, unmanaged) { $0() }
        let realm = try makeRealm([MapBag<E>.self] + E.classes)
        let bag = MapBag<E>()
        let samples = E.samples
        fill(bag, samples)
        try realm.write { realm.add(bag) }
        try body(bag, samples) { change in try realm.write { change() } }
    }

    private func fill<E: TestElement>(_ bag: MapBag<E>, _ samples: [E]) {
        for (index, sample) in samples.enumerated() { bag.map["k\(index)"] = sample }
    }

    private static let types =
        ElementType.values + ElementType.optionals + [ElementType(type: Toy?.self)]

    /// A copy went through a dictionary of Swift, which takes both forms of é for one key.
    @Test("A copy of a map keeps keys that differ only in how a letter is composed")
    func composedLetters() throws {
        let keys = ["caf\u{e9}", "cafe\u{301}"]
        let (realm, other) = (try makeRealm([MapBag<Int>.self]), try makeRealm([MapBag<Int>.self]))
        let bag = MapBag<Int>()
        for (index, key) in keys.enumerated() { bag.map[key] = index }
        try realm.write { realm.add(bag) }
        let copy = try other.write { other.create(MapBag<Int>.self, value: bag) }
        #expect(copy.map.count == 2)
        #expect(copy.map[keys[0]] == 0 && copy.map[keys[1]] == 1)
    }

    @Test("A map finds values by their keys", arguments: types)
    func values(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { bag, samples, change in
                let map = bag.map
                #expect(map.count == samples.count)
                #expect(map.keys == samples.indices.map { "k\($0)" })
                #expect(map.values == samples)
                #expect(map.map(\.value) == samples)
                #expect(map["x"] == nil)
                for (index, sample) in samples.enumerated() { #expect(map["k\(index)"] == sample) }
                try change { map["k0"] = samples[1] }
                #expect(map["k0"] == samples[1])
                try change { map.updateValue(samples[0], forKey: "new") }
                #expect(map["new"] == samples[0])
                #expect(map.count == samples.count + 1)
                try change { map["k0"] = nil }
                #expect(map["k0"] == nil)
                try change { map.removeObject(for: "new") }
                try change { map.removeObject(for: "never there") }
                #expect(map.keys == samples.indices.dropFirst().map { "k\($0)" })
                try change {
                    map.merge([("k1", samples[0]), ("z", samples[1])]) { old, new in
                        #expect(old == samples[1])
                        return new
                    }
                }
                #expect(map["k1"] == samples[0])
                #expect(map["z"] == samples[1])
                try change { map.merge(["z": samples[0]]) { old, _ in old } }
                #expect(map["z"] == samples[1])
                try change { map.removeAll() }
                #expect(map.isEmpty)
            }
        }
        try run(element.type)
    }

    @Test("An assignment copies the entries", arguments: types)
    func assigning(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { bag, samples, change in
                let (map, other) = (bag.map, bag.other)
                try change { bag.other = map }
                #expect(other.values == samples)
                try change { bag.map = map }
                #expect(map.values == samples)
                try change { bag.map = Map() }
                #expect(map.isEmpty)
                #expect(bag.other.values == samples)
            }
        }
        try run(element.type)
    }

    @Test("A map keeps the key of a deleted object, with the value nil")
    func deletedObjects() throws {
        let realm = try makeRealm([MapBag<Toy?>.self])
        let bag = MapBag<Toy?>()
        let toy = Toy(id: 1)
        bag.map["a"] = toy
        try realm.write {
            realm.add(bag)
            bag.map.updateValue(nil, forKey: "b")
        }
        #expect(bag.map["a"] == .some(toy))
        try realm.write { realm.delete(toy) }
        #expect(bag.map.keys == ["a", "b"])
        #expect(bag.map["a"] == .some(nil))
        #expect(bag.map.values == [nil, nil])
    }

    @Test("A map returns its values by name, as any type")
    func names() throws {
        let realm = try makeRealm([MapBag<Toy?>.self, MapBag<Int>.self])
        let toys = MapBag<Toy?>()
        let numbers = MapBag<Int>()
        try realm.write {
            realm.add(toys)
            realm.add(numbers)
            toys.map["a"] = Toy(id: 1, name: "Ball")
            numbers.map.setValue(3, forKey: "a")
            numbers.map.setValue(Int8(4), forKey: "b")
            numbers.map.setValue(5, forKey: "c")
            numbers.map.setValue(nil, forKey: "c")
        }
        #expect(numbers.map.value(forKey: "b") as? Int == 4)
        #expect(numbers.map.object(forKey: "c") == nil)
        #expect(numbers.map.keys == ["a", "b"])
        #expect(toys.map.value(forKeyPath: "a.name") as? String == "Ball")
    }

    @Test("A loop visits the entries that existed at its start")
    func iteration() throws {
        let realm = try makeRealm([MapBag<Int>.self])
        let bag = MapBag<Int>()
        try realm.write {
            realm.add(bag)
            for number in 0..<2000 { bag.map["\(number)"] = number }
            for (key, value) in bag.map where value % 2 == 0 { bag.map[key] = nil }
        }
        #expect(bag.map.count == 1000)
        #expect(bag.map["7"] == 7)
        #expect(bag.map["8"] == nil)
        #expect(bag.map.contains { key, value in key == "1999" && value == 1999 })
    }

    @Test("A map held before its object was added becomes the map in the database")
    func becomingManaged() throws {
        let realm = try makeRealm([MapBag<Int>.self])
        let bag = MapBag<Int>()
        let map = bag.map
        map["a"] = 1
        try realm.write { realm.add(bag) }
        #expect(map.realm == realm)
        #expect(map == bag.map)
        try realm.write { map["b"] = 2 }
        #expect(bag.map.count == 2)
        let frozen = map.freeze()
        try realm.write { map.removeAll() }
        #expect(frozen.values == [1, 2])
        #expect(frozen.thaw()?.count == 0)
        try realm.write { realm.delete(bag) }
        #expect(map.isInvalidated)
        #expect(frozen.thaw() == nil)
    }

    @Test("A map returns its entries as tuples, even under the method name of Realm")
    func entries() throws {
        let map = Map<String, Int>()
        map.merge(["a": 1, "b": 2]) { $1 }
        var entries: [String] = []
        for (key, value) in map.asKeyValueSequence() { entries.append("\(key)=\(value)") }
        for entry in map { entries.append("\(entry.key)=\(entry.value)") }
        #expect(entries == ["a=1", "b=2", "a=1", "b=2"])
        let other = Map<String, Int>()
        other.merge(map) { $1 }
        #expect(other.keys == ["a", "b"])
    }

    @Test("A map is encoded and decoded")
    func coding() throws {
        let map = Map<String, Int?>()
        map["a"] = 1
        map.updateValue(nil, forKey: "b")
        let data = try JSONEncoder().encode(map)
        let decoded = try JSONDecoder().decode(Map<String, Int?>.self, from: data)
        #expect(decoded.keys == ["a", "b"])
        #expect(decoded["a"] == .some(1))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Map<String, Int>.self, from: Data("{\"a.b\":1}".utf8))
        }
    }

    @Test("Impossible operations stop the program")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Map<String, Int>()["a.b"] = 1
        }.says("the key \"a.b\" must not have a point in it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Map<String, Int>()["$a"] = 1
        }.says("the key \"$a\" must not begin with $")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Map<String, Int>().setValue("x", forKey: "a")
        }.says("a String is not a value of a Map<String, Int>")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored()["a"] = 1
        }.says("cannot change MapBag_Int.map outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().removeAll()
        }.says("cannot change MapBag_Int.map outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().removeObject(for: "a")
        }.says("cannot change MapBag_Int.map outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let map = try stored()
            try map.realm?.write { map["a.b"] = 1 }
        }.says("the key \"a.b\" must not have a point in it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([ToyMap.self])
        }.says("a Map<String, Toy> must be a Map<String, Toy?>: a key whose")
    }
}

/// An object with two maps.
final class MapBag<E: TestElement>: Object {
    @Persisted var map: Map<String, E>
    @Persisted var other: Map<String, E>

    override class func className() -> String { "MapBag_\(E.self)".identifier }
}

/// An invalid model.
class ToyMap: Object {
    @Persisted var toys: Map<String, Toy>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private func stored() throws -> Map<String, Int> {
    let realm = try makeRealm([MapBag<Int>.self])
    let bag = MapBag<Int>()
    try realm.write { realm.add(bag) }
    return bag.map
}
