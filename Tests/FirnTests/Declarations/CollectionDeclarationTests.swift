// Each declaration of collections, used with the types that are printed in the documentation of the
// reference. Most of these tests fail by not compiling.

import Dispatch
import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

private actor Observer {
    private(set) var token: NotificationToken?

    func count(_ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await Realm(configuration: configuration, actor: self)
        typealias Change = RealmCollectionChange<Results<Hound>>
        let hounds = realm.objects(Hound.self)
        let tokens: [NotificationToken] = [
            await hounds.observe(keyPaths: ["age"], on: self) {
                (_: isolated Observer, _: Change) in
            },
            await hounds.observe(keyPaths: [\Hound.age], on: self) {
                (_: isolated Observer, _: Change) in
            },
        ]
        return tokens.filter { $0.invalidate() }.count
    }
}

@Suite("Declarations of collections")
struct CollectionDeclarationTests {
    private func citizen() throws -> Citizen {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann")
            ann.hounds.append(objectsIn: [Hound("Rex", age: 3), Hound("Fia", age: 9, weight: 2)])
            ann.marks.append(objectsIn: [3, 1, 3])
            realm.add(ann)
        }
        return realm.objects(Citizen.self)[0]
    }

    /// Uses what every collection of objects has, in code that knows only the protocol.
    private func expectAll<C: RealmCollection>(of collection: C) throws where C.Element == Hound {
        #expect(collection.realm != nil && !collection.isInvalidated && !collection.isFrozen)
        #expect(collection.count == 2 && collection.endIndex - collection.startIndex == 2)
        #expect(collection.first?.name == "Rex" && collection.last?.name == "Fia")
        #expect(collection.index(after: 0) == 1 && collection.index(before: 1) == 0)
        #expect(collection[1].age == 9 && collection[0..<1].map(\.name) == ["Rex"])
        #expect(Array(IteratorSequence(collection.makeIterator())).count == 2)
        #expect(!collection.description.isEmpty)
        #expect(collection.index(of: collection[1]) == 1)
        #expect(collection.index(matching: "age > %d", 3) == 1)
        #expect(collection.index(matching: { $0.age == 3 }) == 0)
        #expect(collection.objects(at: [1]).map(\.name) == ["Fia"])
        var results: Results<Hound> = collection.filter("age < %@ AND name != %@", 9, "Bo")
        #expect(results.map(\.name) == ["Rex"])
        results = collection.where { $0.age > 3 }
        #expect(results.map(\.name) == ["Fia"])
        results = collection.sorted(byKeyPath: "age", ascending: false)
        #expect(results[0].name == "Fia")
        results = collection.sorted(by: \.age, ascending: false)
        #expect(results[0].name == "Fia")
        results = collection.sorted(by: [SortDescriptor(keyPath: \Hound.name)])
        #expect(results[0].name == "Fia")
        results = collection.distinct(by: ["age"])
        #expect(results.count == 2)
        results = collection.distinct(by: [\Hound.age])
        #expect(results.count == 2)
        try expectAggregates(of: collection)
        let frozen: C = collection.freeze()
        let thawed: C? = frozen.thaw()
        #expect(frozen.isFrozen && thawed?.count == 2)
        #expect((collection.value(forKey: "name") as? [Any])?.count == 2)
        #expect(collection.value(forKeyPath: "@sum.age") as? Int == 12)
        try collection.realm?.write { collection.setValue(5, forKey: "age") }
        #expect(collection.map(\.age) == [5, 5])
    }

    private func expectAggregates<C: RealmCollection>(
        of collection: C
    ) throws where C.Element == Hound {
        let least: Int? = collection.min(ofProperty: "age")
        let greatest: Int? = collection.max(ofProperty: "age")
        let sum: Int = collection.sum(ofProperty: "age")
        let average: Double? = collection.average(ofProperty: "age")
        #expect(least == 3 && greatest == 9 && sum == 12 && average == 6)
        #expect(collection.min(of: \.age) == 3 && collection.max(of: \.age) == 9)
        #expect(collection.sum(of: \.age) == 12 && collection.average(of: \.age) == 6)
        let weight: Float? = collection.max(of: \.weight) ?? nil
        #expect(weight == 2)
    }

    @Test("Results, lists and erased collections have all members of the protocol")
    func members() throws {
        let ann = try citizen()
        try expectAll(of: ann.hounds)
        try expectAll(of: citizen().hounds.sorted(byKeyPath: "age"))
        let erased: AnyRealmCollection<Hound> = AnyRealmCollection(try citizen().hounds)
        try expectAll(of: erased)
        let owners: LinkingObjects<Citizen> = ann.hounds[0].owners
        #expect(owners.count == 1 && owners[0].isSameObject(as: ann))
        #expect(owners.filter("age == 0").count == 1)
        #expect(!owners.description.isEmpty)
    }

    @Test("Collections of values are sorted, deduplicated and aggregated without a property")
    func values() throws {
        let marks = try citizen().marks
        let sorted: Results<Int> = marks.sorted(ascending: false)
        #expect(Array(sorted) == [3, 3, 1])
        let distinct: Results<Int> = marks.distinct()
        #expect(Set(distinct) == [1, 3])
        let (least, greatest): (Int?, Int?) = (marks.min(), marks.max())
        let average: Double? = marks.average()
        #expect(least == 1 && greatest == 3 && marks.sum() == 7 && average.map { $0 > 2 } == true)
        let empty = List<Int>()
        let none: Double? = empty.average()
        #expect(empty.min() == nil && empty.max() == nil && empty.sum() == 0 && none == nil)
    }

    @Test("Objects of an actor are observed by strings and by key paths")
    func actors() async throws {
        let test = TestRealm([Hound.self])
        #expect(try await Observer().count(test.configuration) == 2)
    }

    @Test("Changes have the cases of the Realm API")
    func changes() throws {
        let ann = try citizen()
        let realm = try #require(ann.realm)
        let news = Guarded<[String]>([])
        let token: NotificationToken = ann.hounds.observe(keyPaths: nil as [String]?, on: nil) {
            (change: RealmCollectionChange<List<Hound>>) in
            switch change {
            case .initial(let hounds): news.withLock { $0.append("\(hounds.count)") }
            case .update(let hounds, let deletions, let insertions, let modifications):
                news.withLock {
                    $0.append("\(hounds.count) \(deletions) \(insertions) \(modifications)")
                }
            case .error(let error): Issue.record(error)
            }
        }
        realm.refresh()
        try realm.write {
            ann.hounds[1].age = 4
            ann.hounds.remove(at: 0)
            ann.hounds.append(Hound("Bo"))
        }
        realm.refresh()
        #expect(news.withLock { $0 } == ["2", "2 [0] [1] [1]"])
        token.invalidate()
    }

    @Test("Types conform to the marker protocols of their operations")
    func markers() {
        func least<T: MinMaxType>(_: T.Type) -> Int { 1 }
        func added<T: AddableType>(_: T.Type) -> Int { 1 }
        func sorted<T: SortableType>(_: T.Type) -> Int { 1 }
        func byPath<T: KeypathSortable>(_: T.Type) -> Int { 1 }
        let sum =
            least(Int8.self) + least(Date.self) + least(Decimal128?.self)
            + least(AnyRealmValue.self)
            + added(Float.self) + added(Int?.self) + sorted(String.self) + sorted(Bool.self)
            + sorted(Data.self) + byPath(Hound.self) + byPath(CitizenProjection.self)
        #expect(sum == 11)
    }

    @Test("Sort descriptors are created from strings, key paths and literals")
    func descriptors() {
        let descriptor = SortDescriptor(keyPath: "age", ascending: false)
        #expect(descriptor.keyPath == "age" && !descriptor.ascending)
        #expect(descriptor.reversed() == SortDescriptor(keyPath: \Hound.age))
        #expect(descriptor.reversed() == "age")
        #expect(descriptor.description == "SortDescriptor(keyPath: age, direction: descending)")
    }

    @Test("A list has the members of the Realm API")
    func lists() throws {
        let list = List<Int>()
        list.append(1)
        list.append(objectsIn: [2, 3, 4])
        list.insert(0, at: 0)
        list.insert(contentsOf: [7, 8], at: 1)
        #expect(Array(list) == [0, 7, 8, 1, 2, 3, 4])
        list.remove(at: 1)
        list.removeFirst(1)
        list.removeLast(1)
        #expect(Array(list) == [8, 1, 2, 3])
        list.replace(index: 0, object: 9)
        list.replaceSubrange(1..<2, with: [5, 6])
        list.move(from: 0, to: 2)
        list.swapAt(0, 1)
        #expect(Array(list) == [6, 5, 9, 2, 3])
        list.move(fromOffsets: [0, 1], toOffset: 5)
        #expect(Array(list) == [9, 2, 3, 6, 5])
        list.remove(atOffsets: [0, 4])
        list.removeSubrange(0..<1)
        #expect(Array(list) == [3, 6])
        let slice: Slice<List<Int>> = list[0..<1]
        #expect(Array(slice) == [3])
        list[1] = 4
        list[0..<1] = list[1..<2]
        #expect(Array(list) == [4, 4])
        #expect(list.description.hasPrefix("List<Int>"))
        let selves: [AnyObject] = try citizen().hounds.value(forKey: "name")
        #expect(selves.count == 2)
        let data = try JSONEncoder().encode(list)
        #expect(try JSONDecoder().decode(List<Int>.self, from: data) == list)
        list.removeAll()
        #expect(list.isEmpty)
        let ann = try citizen()
        let names: ProjectedCollection<String> = ann.hounds.projectTo.name
        #expect(Array(names) == ["Rex", "Fia"])
    }

    @Test("A set has the members of the Realm API")
    func sets() throws {
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let realm = try #require(ledger.realm)
        let others = MutableSet<String>()
        others.insert("red")
        others.insert(objectsIn: ["blue", "red"])
        try realm.write {
            let second = realm.objects(Ledger.self)[1]
            second.tags.insert(objectsIn: others)
            #expect(second.tags.contains("blue") && second.tags.count == 2)
            #expect(ledger.tags.isSubset(of: second.tags) && ledger.tags.intersects(second.tags))
            ledger.tags.formUnion(second.tags)
            #expect(Set(ledger.tags) == ["red", "blue"])
            second.tags.remove("red")
            ledger.tags.subtract(second.tags)
            #expect(Set(ledger.tags) == ["red"])
            ledger.tags.formIntersection(second.tags)
            #expect(ledger.tags.isEmpty)
            second.tags.removeAll()
        }
        let first: String = others[0]
        #expect(others.contains(first))
        let data = try JSONEncoder().encode(others)
        #expect(try JSONDecoder().decode(MutableSet<String>.self, from: data) == others)
        #expect(others.description.hasPrefix("MutableSet<String>"))
        let names: ProjectedCollection<String> = ledger.pack.projectTo.name
        #expect(Set(names) == ["Rex", "Fia"])
        let ages: [AnyObject] = ledger.pack.value(forKey: "age")
        #expect(ages.count == 2)
        #expect(ledger.pack.where { $0.age > 3 }.count == 1)
        #expect(ledger.pack.freeze().thaw()?.count == 2)
    }
}
