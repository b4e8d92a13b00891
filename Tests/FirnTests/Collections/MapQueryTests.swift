import Firn
import Testing

@Suite("Values of maps")
struct MapQueryTests {
    private func toys() throws -> MapBag<Toy?> {
        let realm = try makeRealm([MapBag<Toy?>.self])
        let bag = MapBag<Toy?>()
        for (id, name) in [(3, "c"), (1, "b"), (2, "a")] {
            bag.map["k\(id)"] = Toy(id: id, name: name)
        }
        try realm.write {
            realm.add(bag)
            bag.map.updateValue(nil, forKey: "none")
        }
        return bag
    }

    @Test("Objects in a map are found and sorted")
    func objects() throws {
        let map = try toys().map
        #expect(map.filter("id > %@", 1).map { $0?.id } == [2, 3])
        #expect(map.where { $0.name == "b" }.map { $0?.id } == [1])
        #expect(map.sorted(byKeyPath: "name").map { $0?.name } == ["a", "b", "c"])
        #expect(map.sorted(by: \.id, ascending: false).map { $0?.id } == [3, 2, 1])
        #expect(map.sorted(by: ["name"]).map { $0?.id } == [2, 1, 3])
        #expect(map.min(ofProperty: "id") == 1)
        #expect(map.max(of: \.id) == 3)
        #expect(map.sum(of: \.id) == 6)
        #expect(map.average(of: \.id) == 2)
        #expect(map.average(ofProperty: "id") == 2.0)
    }

    /// Code that accepts any keyed collection, as in a program.
    private func overview<Keyed: RealmKeyedCollection>(_ toys: Keyed) -> [[Int?]]
    where Keyed.Value == Toy? {
        [
            toys.filter("id > 1").map { $0?.id }, toys.where { $0.name == "b" }.map { $0?.id },
            toys.sorted(byKeyPath: "name", ascending: false).map { $0?.id },
            toys.sorted(by: ["name"]).map { $0?.id },
            [toys.min(ofProperty: "id"), toys.max(ofProperty: "id"), toys.sum(ofProperty: "id")],
            [toys.average(ofProperty: "id")],
            [toys.contains { key, toy in toy == nil } ? 1 : 0],
            [(toys.value(forKey: "k3") as? Toy)?.id, toys.value(forKeyPath: "k3.id") as? Int],
        ]
    }

    @Test("Values are available to code that accepts any keyed collection")
    func generic() throws {
        #expect(
            overview(try toys().map) == [
                [2, 3], [1], [3, 1, 2], [2, 1, 3], [1, 3, 6], [2], [1], [3, 3],
            ])
    }

    @Test("Numbers in a map have a minimum, a sum and other aggregates, managed or not")
    func numbers() throws {
        let realm = try makeRealm([MapBag<Int>.self])
        let bag = MapBag<Int>()
        bag.map.merge(["a": 3, "b": 1, "c": 2]) { $1 }
        func check() {
            #expect(bag.map.min() == 1)
            #expect(bag.map.max() == 3)
            #expect(bag.map.sum() == 6)
            #expect(bag.map.average() == 2.0)
        }
        check()
        try realm.write { realm.add(bag) }
        check()
        #expect(Array(bag.map.sorted()) == [1, 2, 3])
        #expect(Array(bag.map.sorted(ascending: false)) == [3, 2, 1])
    }

    @Test("An invalid search in a map stops the program")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Map<String, Toy?>().filter("id > 1")
        }.says("filter needs a collection that is in a realm: add the object")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([MapBag<Int>.self])
            let bag = MapBag<Int>()
            try realm.write { realm.add(bag) }
            _ = bag.map.filter("self > 1")
        }.says("filter is for collections of objects: values of")
    }
}
