import Firn
import Foundation
import Testing

@Suite("Sets")
struct MutableSetTests {
    /// Passes unmanaged and managed sets with all samples, and a way to change them, to the body.
    private func check<E: TestElement>(
        _ type: E.Type,
        _ body: (_ bag: SetBag<E>, _ samples: [E], _ change: (() -> Void) throws -> Void) throws ->
            Void
    ) throws {
        let plain = SetBag<E>()
        let unmanaged = E.samples
        plain.set.insert(objectsIn: unmanaged)
        try body(plain, unmanaged) { $0() }
        let realm = try makeRealm([SetBag<E>.self] + E.classes)
        let bag = SetBag<E>()
        let samples = E.samples
        bag.set.insert(objectsIn: samples)
        try realm.write { realm.add(bag) }
        try body(bag, samples) { change in try realm.write { change() } }
    }

    @Test("A set contains each element once", arguments: ElementType.all)
    func inserting(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { bag, samples, change in
                let set = bag.set
                #expect(Set(set) == Set(samples))
                #expect(set.count == samples.count)
                try change { set.insert(samples[0]) }
                try change { set.insert(objectsIn: samples) }
                #expect(set.count == samples.count)
                for sample in samples {
                    #expect(set.contains(sample))
                    let index = try #require(set.index(of: sample))
                    #expect(set[index] == sample)
                }
                try change { set.remove(samples[0]) }
                #expect(!set.contains(samples[0]))
                #expect(set.index(of: samples[0]) == nil)
                #expect(Set(set) == Set(samples.dropFirst()))
                try change { set.remove(samples[0]) }
                #expect(set.count == samples.count - 1)
                try change { set.insert(samples[0]) }
                #expect(Set(set) == Set(samples))
                try change { set.removeAll() }
                #expect(set.isEmpty)
            }
        }
        try run(element.type)
    }

    /// The two forms of é are equal strings in Swift, and different values in a file: a set that was not in
    /// a realm yet dropped the second one.
    @Test("A set keeps strings that differ only in how a letter is composed")
    func composedLetters() throws {
        let texts = ["caf\u{e9}", "cafe\u{301}"]
        func check(_ set: MutableSet<String>) {
            #expect(set.count == 2)
            #expect(set.map { Array($0.utf8) }.contains(Array(texts[0].utf8)))
            #expect(set.map { Array($0.utf8) }.contains(Array(texts[1].utf8)))
        }
        let bag = SetBag<String>()
        bag.set.insert(objectsIn: texts)
        bag.other.insert(texts[0])
        check(bag.set)
        #expect(bag.set != bag.other && !bag.set.isSubset(of: bag.other))
        bag.other.insert(texts[1])
        #expect(bag.set == bag.other)
        bag.other.remove(texts[0])
        #expect(bag.other.contains(texts[1]) && !bag.other.contains(texts[0]))
        let realm = try makeRealm([SetBag<String>.self])
        try realm.write { realm.add(bag) }
        check(bag.set)
    }

    @Test("A set is combined with another", arguments: ElementType.all)
    func algebra(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { bag, samples, change in
                let (set, other) = (bag.set, bag.other)
                #expect(other.isSubset(of: set))
                #expect(!set.isSubset(of: other))
                #expect(!set.intersects(other))
                try change { other.insert(samples[0]) }
                #expect(other.isSubset(of: set))
                #expect(set.intersects(other))
                try change { set.subtract(other) }
                #expect(Set(set) == Set(samples.dropFirst()))
                #expect(!other.isSubset(of: set))
                try change { set.formUnion(other) }
                #expect(Set(set) == Set(samples))
                try change { set.formIntersection(other) }
                #expect(Set(set) == [samples[0]])
                try change { set.formUnion(set) }
                #expect(set.count == 1)
                try change { set.subtract(set) }
                #expect(set.isEmpty)
            }
        }
        try run(element.type)
    }

    @Test("An assignment copies the elements", arguments: ElementType.all)
    func assigning(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { bag, samples, change in
                let (set, other) = (bag.set, bag.other)
                try change { bag.other = set }
                #expect(Set(other) == Set(samples))
                try change { bag.set = set }
                #expect(Set(set) == Set(samples))
                try change { bag.set = MutableSet() }
                #expect(set.isEmpty)
                #expect(Set(bag.other) == Set(samples))
            }
        }
        try run(element.type)
    }

    @Test("A large set finds all its elements")
    func large() throws {
        let realm = try makeRealm([SetBag<Int>.self])
        let bag = SetBag<Int>()
        try realm.write {
            realm.add(bag)
            for number in 0..<3000 { bag.set.insert(number * 7919 % 3001) }
        }
        #expect(bag.set.count == 3000)
        try realm.write { for number in 0..<1000 { bag.set.remove(number * 3) } }
        #expect(bag.set.contains(1))
        #expect(!bag.set.contains(3))
        #expect(Array(bag.set) == bag.set.sorted())
        #expect(bag.set.allSatisfy { bag.set.index(of: $0).map { bag.set[$0] } == $0 })
    }

    @Test("A set does not contain objects outside of its realm")
    func foreign() throws {
        let realm = try makeRealm([SetBag<Toy>.self])
        let bag = SetBag<Toy>()
        bag.set.insert(Toy(id: 1))
        try realm.write { realm.add(bag) }
        #expect(!bag.set.contains(Toy(id: 1)))
        try realm.write { bag.set.remove(Toy(id: 1)) }
        #expect(bag.set.count == 1)
    }

    @Test("A set held before its object was added becomes the set in the database")
    func becomingManaged() throws {
        let realm = try makeRealm([SetBag<Int>.self])
        let bag = SetBag<Int>()
        let set = bag.set
        set.insert(1)
        try realm.write {
            realm.add(bag)
            set.insert(2)
        }
        #expect(set.realm == realm)
        #expect(set == bag.set)
        #expect(Array(bag.set) == [1, 2])
        #expect(Array(set.freeze()) == [1, 2])
    }

    @Test("A set is encoded and decoded")
    func coding() throws {
        let set = MutableSet<Int>()
        set.insert(objectsIn: [2, 1, 2])
        let data = try JSONEncoder().encode(set)
        #expect(Set(try JSONDecoder().decode(MutableSet<Int>.self, from: data)) == [1, 2])
    }

    @Test("Impossible operations stop the program")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = numbers()[3]
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().insert(4)
        }.says("cannot change SetBag_Int.set outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().remove(9)
        }.says("cannot change SetBag_Int.set outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().removeAll()
        }.says("cannot change SetBag_Int.set outside of a write transaction:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().formUnion(stored())
        }.says("sets of different realms cannot be combined")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try stored().isSubset(of: numbers())
        }.says("a managed set can only be combined with another managed set:")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try stored().intersects(stored())
        }.says("sets of different realms cannot be combined")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([WheelSet.self])
        }.says("a MutableSet<Wheel> cannot be: an embedded object is part of")
    }
}

/// An object with two sets.
final class SetBag<E: TestElement>: Object {
    @Persisted var set: MutableSet<E>
    @Persisted var other: MutableSet<E>

    override class func className() -> String { "SetBag_\(E.self)".identifier }
}

/// An invalid model.
class WheelSet: Object {
    @Persisted var wheels: MutableSet<Wheel>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private func numbers() -> MutableSet<Int> {
    let set = MutableSet<Int>()
    set.insert(objectsIn: [1, 2, 3])
    return set
}

private func stored() throws -> MutableSet<Int> {
    let realm = try makeRealm([SetBag<Int>.self])
    let bag = SetBag<Int>()
    bag.set.insert(objectsIn: [1, 2, 3])
    try realm.write { realm.add(bag) }
    return bag.set
}
