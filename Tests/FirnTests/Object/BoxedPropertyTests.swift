import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

@Suite("Boxed properties")
struct BoxedPropertyTests {
    @Test("A boxed property behaves like any other")
    func values() throws {
        let test = TestRealm([Boxed.self])
        do {
            let realm = try test.open()
            let object = Boxed()
            object.age.value = 7
            object.hue.value = .blue
            #expect(object.age.value == 7)
            #expect(object.size.value == nil)
            try realm.write { realm.add(object) }
            #expect(object.age.value == 7)
            try realm.write {
                object.size.value = 3
                object.weight.value = 1.5
                object.age.value = nil
            }
            #expect(object.size.value == 3)
        }
        let realm = try test.open()
        let object = try #require(realm.objects(Boxed.self).filter("size == 3").first)
        #expect(object.age.value == nil)
        #expect(object.weight.value == 1.5)
        #expect(object.hue.value == .blue)
        #expect(object.flag.value == nil)
        #expect(object["size"] as? Int16 == 3)
        // The box refers to the row, even when its object is gone.
        let box = try #require(realm.objects(Boxed.self).first).size
        #expect(box.value == 3)
        #expect(box == object.size)
        #expect(box.description == "Optional(3)")
    }

    /// The program stopped because the key path "is not a persisted property".
    @Test("A key path of a boxed property without its value can be used to sort and observe")
    func keyPaths() throws {
        let realm = try makeRealm([Boxed.self])
        #expect(SortDescriptor(keyPath: \Boxed.size).keyPath == "size")
        #expect(SortDescriptor(keyPath: \Boxed.age).keyPath == "age")
        #expect(SortDescriptor(keyPath: \Boxed.age.value).keyPath == "age")
        try realm.write {
            for size in [3, 1, 2] { realm.create(Boxed.self, value: ["size": size]) }
        }
        let sorted = realm.objects(Boxed.self).sorted(by: [SortDescriptor(keyPath: \Boxed.size)])
        #expect(sorted.map(\.size.value) == [1, 2, 3])
        let count = Guarded(0)
        let token = sorted.observe(keyPaths: [\Boxed.size]) { _ in count.withLock { $0 += 1 } }
        realm.refresh()
        try realm.write { sorted[0].flag.value = true }
        realm.refresh()
        #expect(count.withLock { $0 } == 1)
        try realm.write { sorted[0].size.value = 9 }
        realm.refresh()
        #expect(count.withLock { $0 } == 2)
        token.invalidate()
    }

    @Test("A boxed property can be set from values and copied")
    func creation() throws {
        let realm = try makeRealm([Boxed.self])
        try realm.write {
            let first = realm.create(Boxed.self, value: ["age": 4, "flag": true])
            let second = realm.create(Boxed.self, value: first)
            #expect(second.age.value == 4)
            #expect(second.flag.value == true)
        }
    }

    @Test("A boxed property is encoded and decoded")
    func coding() throws {
        let box = RealmOptional<Int>(3)
        let data = try JSONEncoder().encode([box])
        #expect(String(decoding: data, as: UTF8.self) == "[3]")
        #expect(try JSONDecoder().decode([RealmOptional<Int>].self, from: data)[0] == box)
        let property = RealmProperty<Double?>()
        let none = try JSONEncoder().encode([property])
        #expect(String(decoding: none, as: UTF8.self) == "[null]")
        #expect(try JSONDecoder().decode([RealmProperty<Double?>].self, from: none)[0].value == nil)
    }

    @Test("A boxed property stops the program where it cannot be written or read")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Boxed.self])
            let object = Boxed()
            try realm.write { realm.add(object) }
            object.age.value = 3
        }.says("cannot set Boxed.age outside of a write transaction: do it in")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Boxed.self])
            let object = Boxed()
            try realm.write {
                realm.add(object)
                realm.delete(object)
            }
            _ = object.age.value
        }.says("this Boxed has been deleted, or its realm was invalidated:")
    }
}

class Boxed: Object {
    let age = RealmProperty<Int?>()
    let hue = RealmProperty<Hue?>()
    let weight = RealmOptional<Double>()
    let size = RealmOptional<Int16>()
    let flag = RealmProperty<Bool?>()
}
