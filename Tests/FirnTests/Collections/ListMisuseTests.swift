import Firn
import Foundation
import Testing

/// Errors that stop the program, for unmanaged and managed lists.
@Suite("Misuse of lists")
struct ListMisuseTests {
    @Test("An index out of range stops the program")
    func bounds() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = numbers()[3]
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = numbers()[-1]
        }.says("index -1 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers()[3] = 1
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().insert(1, at: 4)
        }.says("index 4 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().insert(1, at: -1)
        }.says("index -1 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().remove(at: 3)
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().remove(atOffsets: [0, 3])
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().move(from: 0, to: 3)
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().swapAt(0, 3)
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().removeFirst(4)
        }.says("4 elements cannot be removed from a list that has only 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().removeLast(4)
        }.says("4 elements cannot be removed from a list that has only 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().removeLast(-1)
        }.says("a list cannot lose -1 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = numbers()[1..<4]
        }.says("index 4 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().move(fromOffsets: [3], toOffset: 0)
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().move(fromOffsets: [0], toOffset: 4)
        }.says("index 4 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().replaceSubrange(2..<4, with: [1])
        }.says("index 4 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            numbers().removeSubrange(4...)
        }.says("index 4 is out of bounds: there are 3 elements")
    }

    @Test("An index out of range of a managed list stops the program")
    func managedBounds() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { _ = $0[3] }
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { _ = $0[-1] }
        }.says("index -1 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0[3] = 1 }
        }.says("cannot change Box_Int.list: position 3 in a list of 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.insert(1, at: 4) }
        }.says("cannot change Box_Int.list: position 4 in a list of 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.insert(1, at: -1) }
        }.says("cannot change Box_Int.list: position -1 in a list of 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.remove(at: 3) }
        }.says("cannot change Box_Int.list: position 3 in a list of 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.remove(atOffsets: [0, 3]) }
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.move(from: 0, to: 3) }
        }.says("cannot change Box_Int.list: position 3 in a list of 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.move(from: -1, to: 0) }
        }.says("cannot change Box_Int.list: position -1 in a list of 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.swapAt(0, 3) }
        }.says("index 3 is out of bounds: there are 3 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.removeFirst(4) }
        }.says("4 elements cannot be removed from a list that has only 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.removeLast(4) }
        }.says("4 elements cannot be removed from a list that has only 3")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { $0.replaceSubrange(2..<4, with: [1]) }
        }.says("index 4 is out of bounds: there are 3 elements")
    }

    @Test("A change outside of a write transaction stops the program")
    func outside() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().append(1)
        }.says("cannot change Box_Int.list outside of a write transaction: do")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().removeAll()
        }.says("cannot change Box_Int.list outside of a write transaction: do")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored()[0] = 1
        }.says("cannot change Box_Int.list outside of a write transaction: do")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().move(from: 0, to: 1)
        }.says("cannot change Box_Int.list outside of a write transaction: do")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try stored().append(objectsIn: [1, 2])
        }.says("cannot change Box_Int.list outside of a write transaction: do")
    }

    @Test("A change to a frozen list stops the program")
    func frozen() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Box<Int>.self])
            let box = Box<Int>()
            try realm.write { realm.add(box) }
            let list = box.list.freeze()
            try realm.write { list.append(1) }
        }.says("cannot change Box_Int.list: the object or realm is frozen;")
    }

    @Test("Using the list of a deleted object stops the program")
    func gone() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { list in
                list.realm?.deleteAll()
                _ = list.count
            }
        }.says("the Box_Int.list is gone: its object was deleted, or the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try managed { list in
                list.realm?.deleteAll()
                list.append(1)
            }
        }.says("the Box_Int.list is gone: its object was deleted, or the")
    }

    @Test("Adding an object of a derived class, or a deleted object, stops the program")
    func objects() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Zoo.self, Bird.self])
            let zoo = Zoo()
            try realm.write {
                realm.add(zoo)
                zoo.animals.append(Bird())
            }
        }.says("cannot change Zoo.animals: property animals of Zoo is")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Box<Toy>.self])
            let box = Box<Toy>()
            let toy = Toy()
            try realm.write {
                realm.add(box)
                realm.add(toy)
                realm.delete(toy)
                box.list.append(toy)
            }
        }.says("cannot change Box_Toy.list: list of Box_Toy would link to @id")
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

/// Passes a managed list of three numbers to the body in a transaction.
private func managed(_ body: (List<Int>) -> Void) throws {
    let list = try stored()
    try list.realm?.write { body(list) }
}
