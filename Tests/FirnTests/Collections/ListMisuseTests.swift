import Firn
import Foundation
import Testing

/// What stops the program, of unmanaged and managed lists.
@Suite("A list stops the program")
struct ListMisuseTests {
    @Test("for positions that it does not have")
    func bounds() async {
        await #expect(processExitsWith: .failure) { _ = numbers()[3] }
        await #expect(processExitsWith: .failure) { _ = numbers()[-1] }
        await #expect(processExitsWith: .failure) { numbers()[3] = 1 }
        await #expect(processExitsWith: .failure) { numbers().insert(1, at: 4) }
        await #expect(processExitsWith: .failure) { numbers().insert(1, at: -1) }
        await #expect(processExitsWith: .failure) { numbers().remove(at: 3) }
        await #expect(processExitsWith: .failure) { numbers().remove(atOffsets: [0, 3]) }
        await #expect(processExitsWith: .failure) { numbers().move(from: 0, to: 3) }
        await #expect(processExitsWith: .failure) { numbers().swapAt(0, 3) }
        await #expect(processExitsWith: .failure) { numbers().removeFirst(4) }
        await #expect(processExitsWith: .failure) { numbers().removeLast(4) }
        await #expect(processExitsWith: .failure) { numbers().removeLast(-1) }
        await #expect(processExitsWith: .failure) { _ = numbers()[1..<4] }
        await #expect(processExitsWith: .failure) {
            numbers().move(fromOffsets: [3], toOffset: 0)
        }
        await #expect(processExitsWith: .failure) {
            numbers().move(fromOffsets: [0], toOffset: 4)
        }
        await #expect(processExitsWith: .failure) {
            numbers().replaceSubrange(2..<4, with: [1])
        }
    }

    @Test("for positions that it does not have in a realm")
    func managedBounds() async {
        await #expect(processExitsWith: .failure) { try managed { _ = $0[3] } }
        await #expect(processExitsWith: .failure) { try managed { _ = $0[-1] } }
        await #expect(processExitsWith: .failure) { try managed { $0[3] = 1 } }
        await #expect(processExitsWith: .failure) { try managed { $0.insert(1, at: 4) } }
        await #expect(processExitsWith: .failure) { try managed { $0.insert(1, at: -1) } }
        await #expect(processExitsWith: .failure) { try managed { $0.remove(at: 3) } }
        await #expect(processExitsWith: .failure) { try managed { $0.remove(atOffsets: [0, 3]) } }
        await #expect(processExitsWith: .failure) { try managed { $0.move(from: 0, to: 3) } }
        await #expect(processExitsWith: .failure) { try managed { $0.move(from: -1, to: 0) } }
        await #expect(processExitsWith: .failure) { try managed { $0.swapAt(0, 3) } }
        await #expect(processExitsWith: .failure) { try managed { $0.removeFirst(4) } }
        await #expect(processExitsWith: .failure) { try managed { $0.removeLast(4) } }
        await #expect(processExitsWith: .failure) {
            try managed { $0.replaceSubrange(2..<4, with: [1]) }
        }
    }

    @Test("for changes outside of a write transaction")
    func outside() async {
        await #expect(processExitsWith: .failure) { try stored().append(1) }
        await #expect(processExitsWith: .failure) { try stored().removeAll() }
        await #expect(processExitsWith: .failure) { try stored()[0] = 1 }
        await #expect(processExitsWith: .failure) { try stored().move(from: 0, to: 1) }
        await #expect(processExitsWith: .failure) { try stored().append(objectsIn: [1, 2]) }
    }

    @Test("for a frozen list that is changed")
    func frozen() async {
        await #expect(processExitsWith: .failure) {
            let realm = try makeRealm([Box<Int>.self])
            let box = Box<Int>()
            try realm.write { realm.add(box) }
            let list = box.list.freeze()
            try realm.write { list.append(1) }
        }
    }

    @Test("for a list whose object was deleted")
    func gone() async {
        await #expect(processExitsWith: .failure) {
            try managed { list in
                list.realm?.deleteAll()
                _ = list.count
            }
        }
        await #expect(processExitsWith: .failure) {
            try managed { list in
                list.realm?.deleteAll()
                list.append(1)
            }
        }
    }

    @Test("for an object of a derived class, and for a deleted one")
    func objects() async {
        await #expect(processExitsWith: .failure) {
            let realm = try makeRealm([Zoo.self, Bird.self])
            let zoo = Zoo()
            try realm.write {
                realm.add(zoo)
                zoo.animals.append(Bird())
            }
        }
        await #expect(processExitsWith: .failure) {
            let realm = try makeRealm([Box<Toy>.self])
            let box = Box<Toy>()
            let toy = Toy()
            try realm.write {
                realm.add(box)
                realm.add(toy)
                realm.delete(toy)
                box.list.append(toy)
            }
        }
    }
}

class Zoo: Object {
    @Persisted var animals: List<Animal>
}

class Animal: Object {
    @Persisted var name = ""
}

class Bird: Animal {}

/// An unmanaged list of three numbers.
private func numbers() -> List<Int> {
    let list = List<Int>()
    list.append(objectsIn: [1, 2, 3])
    return list
}

/// A managed list of three numbers.
private func stored() throws -> List<Int> {
    let realm = try makeRealm([Box<Int>.self])
    let box = Box<Int>()
    box.list.append(objectsIn: [1, 2, 3])
    try realm.write { realm.add(box) }
    return box.list
}

/// Works on a managed list of three numbers in a transaction.
private func managed(_ body: (List<Int>) -> Void) throws {
    let list = try stored()
    try list.realm?.write { body(list) }
}
