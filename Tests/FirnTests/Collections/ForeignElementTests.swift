import Firn
import Testing

@Suite("Objects of another realm in collections")
struct ForeignElementTests {
    @Test("An object of another realm is copied into a collection")
    func copies() throws {
        let (here, there) = (try makeRealm([Shelf.self]), try makeRealm([Shelf.self]))
        let (plain, keyed) = (Memo(), Toy(id: 1, name: "Ball"))
        plain.text = "hello"
        try there.write {
            there.add(plain)
            there.add(keyed)
        }
        let shelf = Shelf()
        try here.write {
            here.add(shelf)
            shelf.notes.append(plain)
            shelf.notes.insert(plain, at: 0)
            shelf.toys.append(objectsIn: [keyed, keyed])
            shelf.toySet.insert(keyed)
            shelf.toyMap["a"] = keyed
        }
        #expect(shelf.notes.map(\.text) == ["hello", "hello"])
        #expect(here.objects(Memo.self).count == 2)
        #expect(shelf.toys.map(\.name) == ["Ball", "Ball"])
        #expect(here.objects(Toy.self).count == 1)
        #expect(shelf.toySet.first?.realm == here)
        #expect(shelf.toyMap["a"]??.name == "Ball")
        #expect(plain.realm == there)
    }

    @Test("Linking to an object of another realm stops the program")
    func links() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (here, there) = (try makeRealm([Shelf.self]), try makeRealm([Shelf.self]))
            let note = Memo()
            try there.write { there.add(note) }
            let shelf = Shelf()
            try here.write {
                here.add(shelf)
                shelf.best = note
            }
        }.says("a link to an object of another realm: copy it with")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Shelf.self])
            let (note, shelf) = (Memo(), Shelf())
            try realm.write {
                realm.add(note)
                realm.add(shelf)
            }
            let frozen = note.freeze()
            try realm.write { shelf.notes.append(frozen) }
        }.says("a link to an object that is frozen, or of the same realm")
    }

    @Test("Deleting the values of a map deletes all its objects and keeps its keys")
    func deletion() throws {
        let realm = try makeRealm([Shelf.self])
        let shelf = Shelf()
        shelf.toyMap["a"] = Toy(id: 1)
        shelf.toyMap["b"] = Toy(id: 2)
        try realm.write {
            realm.add(shelf)
            realm.delete(shelf.toyMap)
        }
        #expect(realm.objects(Toy.self).isEmpty)
        #expect(shelf.toyMap.keys == ["a", "b"])
    }
}

class Shelf: Object {
    @Persisted var notes: List<Memo>
    @Persisted var best: Memo?
    @Persisted var toys: List<Toy>
    @Persisted var toySet: MutableSet<Toy>
    @Persisted var toyMap: Map<String, Toy?>
}

class Memo: Object {
    @Persisted var text = ""
}
