import Firn
import FirnTesting
import Foundation
import Testing

/// Every test runs with lists of every element type, once unmanaged and once managed.
@Suite("Lists")
struct ListTests {
    /// Passes a list with all samples, and a way to change it, to the body.
    private func check<E: TestElement>(
        _ type: E.Type,
        _ body: (_ list: List<E>, _ samples: [E], _ change: (() -> Void) throws -> Void) throws ->
            Void
    ) throws {
        let samples = E.samples
        let unmanaged = List<E>()
        unmanaged.append(objectsIn: samples)
        try body(unmanaged, samples) { $0() }

        let realm = try makeRealm([Box<E>.self] + E.classes)
        let box = Box<E>()
        let objects = E.samples
        try realm.write {
            realm.add(box)
            box.list.append(objectsIn: objects)
        }
        try body(box.list, objects) { change in try realm.write { change() } }
        // The same, but entirely in the transaction that made the object.
        let fresh = Box<E>()
        let more = E.self is ObjectBase.Type ? objects : E.samples
        realm.beginWrite()
        realm.add(fresh)
        fresh.list.append(objectsIn: more)
        try body(fresh.list, more) { $0() }
        try realm.commitWrite()
    }

    @Test("A list has the appended elements in their order", arguments: ElementType.all)
    func appending(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { list, samples, change in
                #expect(Array(list) == samples)
                #expect(list.count == samples.count)
                #expect(list.indices.map { list[$0] } == samples)
                #expect(list.first == samples.first)
                #expect(list.last == samples.last)
                try change { list.append(samples[1]) }
                #expect(Array(list) == samples + [samples[1]])
                try change { list.append(objectsIn: list) }
                #expect(Array(list) == samples + [samples[1]] + samples + [samples[1]])
                #expect(list[1..<2].map { $0 } == [samples[1]])
            }
        }
        try run(element.type)
    }

    @Test("Elements are inserted and removed at positions", arguments: ElementType.all)
    func inserting(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { list, samples, change in
                var model = samples
                func expect() { #expect(Array(list) == model) }
                try change { list.insert(samples[0], at: 0) }
                model.insert(samples[0], at: 0)
                expect()
                try change { list.insert(samples[1], at: list.count) }
                model.append(samples[1])
                expect()
                try change { list.insert(contentsOf: samples, at: 1) }
                model.insert(contentsOf: samples, at: 1)
                expect()
                try change { list[2] = samples[0] }
                model[2] = samples[0]
                expect()
                try change { list.replace(index: 3, object: samples[1]) }
                model[3] = samples[1]
                expect()
                try change { list.replaceSubrange(1...2, with: [samples[1]]) }
                model.replaceSubrange(1...2, with: [samples[1]])
                expect()
                try change { list[0..<1] = list[1..<3] }
                model.replaceSubrange(0..<1, with: model[1..<3])
                expect()
                try change { list.remove(at: 1) }
                model.remove(at: 1)
                expect()
                try change { list.removeFirst() }
                model.removeFirst()
                expect()
                try change { list.removeLast() }
                model.removeLast()
                expect()
                try change { list.remove(atOffsets: [0, 2]) }
                model.remove(at: 2)
                model.remove(at: 0)
                expect()
                try change { list.removeSubrange(1...) }
                model.removeSubrange(1...)
                expect()
                try change { list.removeAll() }
                #expect(list.isEmpty)
                try change { list.append(samples[1]) }
                #expect(Array(list) == [samples[1]])
            }
        }
        try run(element.type)
    }

    @Test("Elements are moved and swapped", arguments: ElementType.all)
    func moving(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            try check(type) { list, samples, change in
                var model = samples
                let last = samples.count - 1
                try change { list.move(from: 0, to: last) }
                model.insert(model.remove(at: 0), at: last)
                #expect(Array(list) == model)
                try change { list.move(from: last, to: 0) }
                model.insert(model.remove(at: last), at: 0)
                #expect(Array(list) == model)
                for first in samples.indices {
                    for second in samples.indices {
                        try change { list.swapAt(first, second) }
                        model.swapAt(first, second)
                        #expect(Array(list) == model)
                    }
                }
            }
        }
        try run(element.type)
    }

    @Test("Several elements are moved as in a list view")
    func movingOffsets() throws {
        let realm = try makeRealm([Box<Int>.self])
        let box = Box<Int>()
        try realm.write { realm.add(box) }
        for mask in 0..<64 {
            let offsets = IndexSet((0..<6).filter { mask >> $0 & 1 == 1 })
            for target in 0...6 {
                let all = Array(0..<6)
                let moved = all.filter { offsets.contains($0) }
                let expected =
                    all[..<target].filter { !offsets.contains($0) } + moved
                    + all[target...].filter { !offsets.contains($0) }
                let unmanaged = List<Int>()
                unmanaged.append(objectsIn: all)
                unmanaged.move(fromOffsets: offsets, toOffset: target)
                #expect(Array(unmanaged) == expected)
                try realm.write {
                    box.list.removeAll()
                    box.list.append(objectsIn: all)
                    box.list.move(fromOffsets: offsets, toOffset: target)
                }
                #expect(Array(box.list) == expected)
            }
        }
    }

    @Test("A list is sorted, reversed and searched by Swift algorithms")
    func algorithms() throws {
        let realm = try makeRealm([Box<Int>.self])
        let box = Box<Int>()
        box.list.append(objectsIn: [3, 1, 2])
        let list = box.list
        try realm.write {
            realm.add(box)
            var sorted = list
            sorted.sort()
            #expect(Array(list) == [1, 2, 3])
            sorted.reverse()
        }
        #expect(Array(list) == [3, 2, 1])
        #expect(list.firstIndex(of: 2) == 1)
        #expect(list.contains(3))
    }

    @Test("A list held before its object was added becomes the list in the database")
    func becomingManaged() throws {
        let realm = try makeRealm([Box<Toy>.self, Toy.self])
        let box = Box<Toy>()
        let list = box.list
        list.append(Toy(id: 1))
        #expect(list.realm == nil)
        try realm.write { realm.add(box) }
        #expect(list.realm == realm)
        #expect(list == box.list)
        try realm.write { list.append(Toy(id: 2)) }
        #expect(box.list.map(\.id) == [1, 2])
        #expect(realm.objects(Toy.self).count == 2)
    }

    @Test("A list shows changes made through another instance of the same property")
    func twins() throws {
        let realm = try makeRealm([Box<Int>.self])
        let box = Box<Int>()
        try realm.write { realm.add(box) }
        let again = try #require(realm.objects(Box<Int>.self).first)
        let (first, second) = (box.list, again.list)
        #expect(first !== second)
        #expect(first == second)
        #expect(first != box.other)
        try realm.write {
            for number in 0..<2000 {
                first.append(number)
                #expect(second.count == number + 1)
                #expect(second[number] == number)
            }
        }
        let elsewhere = try #require(realm.objects(Box<Int>.self).first)
        #expect(Array(elsewhere.list) == Array(0..<2000))
    }

    @Test(
        "An assignment copies the elements, and both lists keep their identity",
        arguments: ElementType.all
    )
    func assigning(_ element: ElementType) throws {
        func run<E: TestElement>(_ type: E.Type) throws {
            let realm = try makeRealm([Box<E>.self] + E.classes)
            let samples = E.samples
            let source = List<E>()
            source.append(objectsIn: samples)
            let box = Box<E>()
            let own = box.list
            box.list = source
            #expect(own === box.list)
            source.removeAll()
            #expect(Array(own) == samples)
            box.list = own
            #expect(Array(own) == samples)
            try realm.write {
                realm.add(box)
                box.other = box.list
                #expect(Array(box.other) == samples)
                box.list = own
                #expect(Array(own) == samples)
                box.list = source
                #expect(own.isEmpty)
                box.list = box.other
            }
            #expect(Array(own) == samples)
            let copy = Box<E>()
            copy.list = own
            try realm.write { own.removeLast() }
            #expect(Array(copy.list) == samples)
        }
        try run(element.type)
    }

    @Test("A list is encoded and decoded")
    func coding() throws {
        let list = List<String?>()
        list.append(objectsIn: ["a", nil])
        let data = try JSONEncoder().encode(list)
        #expect(String(decoding: data, as: UTF8.self) == "[\"a\",null]")
        #expect(Array(try JSONDecoder().decode(List<String?>.self, from: data)) == ["a", nil])
    }

    @Test("A list loses deleted objects, and the others keep their order")
    func deletedElements() throws {
        let realm = try makeRealm([Box<Toy>.self, Toy.self])
        let box = Box<Toy>()
        try realm.write {
            realm.add(box)
            box.list.append(objectsIn: Toy.samples + [Toy(id: 5)])
            box.list.append(box.list[1])
            realm.delete(box.list[1])
            #expect(box.list.map(\.id) == [1, 3, 4, 5])
        }
        #expect(box.list.map(\.id) == [1, 3, 4, 5])
    }

    @Test("A list forgets the changes of a cancelled transaction")
    func cancelling() throws {
        let realm = try makeRealm([Box<Int>.self])
        let box = Box<Int>()
        box.list.append(1)
        try realm.write { realm.add(box) }
        realm.beginWrite()
        box.list.append(2)
        #expect(box.list.count == 2)
        realm.cancelWrite()
        #expect(Array(box.list) == [1])
    }

    @Test("A list is invalidated when its object is deleted")
    func invalidation() throws {
        let realm = try makeRealm([Box<Int>.self])
        let box = Box<Int>()
        try realm.write { realm.add(box) }
        let list = box.list
        #expect(!list.isInvalidated)
        try realm.write { realm.delete(box) }
        #expect(list.isInvalidated)
    }

    @Test("Every append costs the same, and reading the count in between is free")
    func manyAppends() throws {
        let realm = try makeRealm([Box<Int>.self, Box<Toy>.self, Toy.self])
        let box = Box<Int>()
        let toys = Box<Toy>()
        let count = 20_000
        try realm.write {
            realm.add(box)
            realm.add(toys)
            let toy = Toy(id: 1)
            for index in 0..<count {
                box.list.append(index)
                toys.list.append(toy)
                #expect(box.list.count == index + 1)
                #expect(toys.list.count == index + 1)
            }
            #expect(box.list[count / 2] == count / 2)
        }
        try realm.write { box.list.insert(-1, at: 0) }
        #expect(box.list.count == count + 1)
        #expect(box.list.last == count - 1)
        #expect(Array(box.list) == [-1] + Array(0..<count))
        #expect(toys.list.allSatisfy { $0.id == 1 })
    }

    @Test("A large list behaves like an array under random changes")
    func randomChanges() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let realm = try makeRealm([Box<Int>.self])
        let box = Box<Int>()
        var model = Array(0..<3000)
        box.list.append(objectsIn: model)
        try realm.write { realm.add(box) }
        for _ in 0..<20 {
            try realm.write {
                for _ in 0..<50 {
                    let (first, second) = (
                        Int.random(in: 0..<model.count, using: &random),
                        Int.random(in: 0..<model.count, using: &random)
                    )
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0:
                        box.list.insert(first, at: second)
                        model.insert(first, at: second)
                    case 1:
                        box.list.remove(at: first)
                        model.remove(at: first)
                    case 2:
                        box.list.move(from: first, to: second)
                        model.insert(model.remove(at: first), at: second)
                    case 3:
                        box.list.swapAt(first, second)
                        model.swapAt(first, second)
                    default:
                        box.list[first] = second
                        model[first] = second
                    }
                    let probe = Int.random(in: 0..<model.count, using: &random)
                    #expect(box.list[probe] == model[probe], "seed \(seed)")
                }
            }
            #expect(Array(box.list) == model, "seed \(seed)")
        }
    }
}
