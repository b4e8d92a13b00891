// A value in its stored form, or a custom one for a property of the stored type, stopped the program.

import Firn
import Foundation
import Testing

private enum Tint: String, PersistableEnum {
    case red, blue
}

private struct Even: FailableCustomPersistable, Equatable {
    let number: Int

    init?(persistedValue: Int) {
        guard persistedValue % 2 == 0 else { return nil }
        number = persistedValue
    }

    var persistableValue: Int { number }
}

private class Sheet: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var note: String?
    @Persisted var tint: Tint?
    @Persisted var even: Even?
    @Persisted var tints: List<Tint?>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Values and their stored forms")
struct StoredFormTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Sheet.self]))
    }

    @Test("A property of the stored type takes an enumeration, in a new object and an update")
    func enumeration() throws {
        try realm.write {
            let sheet = realm.create(Sheet.self, value: ["name": Tint.red, "note": Tint.blue])
            #expect(sheet.name == "red" && sheet.note == "blue")
            realm.create(Sheet.self, value: ["id": 0, "name": Tint.blue], update: .modified)
            #expect(sheet.name == "blue" && sheet.note == "blue")
        }
        let unmanaged = Sheet(value: ["name": Tint.red])
        #expect(unmanaged.name == "red")
    }

    @Test("A stored form without a value becomes nil in an optional property or element")
    func refused() throws {
        try realm.write {
            let sheet = realm.create(
                Sheet.self, value: ["tint": "red", "even": 4, "tints": ["blue", "green", nil]])
            #expect(sheet.tint == .red && sheet.even?.number == 4)
            #expect(Array(sheet.tints) == [.blue, nil, nil])
            realm.create(
                Sheet.self, value: ["id": 0, "tint": "green", "even": 3], update: .modified)
            #expect(sheet.tint == nil && sheet.even == nil)
        }
    }
}
