import Firn
import Foundation
import Testing

@Suite("Misuse of thread-safe references")
struct ThreadSafeMisuseTests {
    @Test("A reference to an unmanaged object stops the program")
    func unmanaged() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ThreadSafeReference(to: Person())
        }.says("a reference to an unmanaged Person", "as it is")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ThreadSafe(wrappedValue: Person())
        }.says("@ThreadSafe", "add the object first")
    }

    @Test("A reference to a deleted object stops the program")
    func gone() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try test.open()
            let ann = Person(value: ["id": 1])
            try realm.write { realm.add(ann) }
            try realm.write { realm.delete(ann) }
            _ = ThreadSafeReference(to: ann)
        }.says("a reference to a Person that was deleted or invalidated", "isInvalidated")
    }

    @Test("Resolving a reference twice stops the program")
    func twice() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try test.open()
            let ann = Person(value: ["id": 1])
            try realm.write { realm.add(ann) }
            let reference = ThreadSafeReference(to: ann)
            _ = realm.resolve(reference)
            _ = realm.resolve(reference)
        }.says("can only be resolved once", "make another one")
    }

    @Test("Reading a thread-safe variable stops the program if its realm cannot be opened there")
    func unopened() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try test.open()
            let ann = Person(value: ["id": 1])
            try realm.write { realm.add(ann) }
            let variable = ThreadSafe(wrappedValue: ann)
            let url = try #require(test.configuration.fileURL)
            try FileManager.default.removeItem(at: url)
            try Data(repeating: 7, count: 9999).write(to: url)
            _ = variable.wrappedValue
        }.says("a @ThreadSafe variable cannot open its realm: ")
    }
}
