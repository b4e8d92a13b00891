// `parent.object = parent.object` of an embedded object stopped the program: the object already has
// a parent. In Realm it changes nothing, as every assignment of the current value.

import Firn
import Foundation
import Testing

private class Cabinet: Object {
    @Persisted var lock: CabinetPart?
    @Persisted var parts: List<CabinetPart>
    @Persisted var named: Map<String, CabinetPart?>
}

private class CabinetPart: EmbeddedObject {
    @Persisted var name = ""
}

@Suite("Assigning an embedded object to its own property")
struct EmbeddedAssignmentTests {
    @Test("An embedded object that is assigned to its own property stays there")
    func same() throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Cabinet.self]))
        try realm.write {
            let cabinet = realm.create(
                Cabinet.self,
                value: [
                    "lock": ["name": "a"], "parts": [["name": "b"], ["name": "c"]],
                    "named": ["k": ["name": "d"]],
                ])
            let lock = cabinet.lock
            cabinet.lock = cabinet.lock
            #expect(lock?.isInvalidated == false)
            cabinet["lock"] = cabinet.lock
            #expect(lock?.isInvalidated == false)
            let part = cabinet.parts[1]
            cabinet.parts[1] = cabinet.parts[1]
            cabinet.parts = cabinet.parts
            cabinet.parts.swapAt(0, 1)
            #expect(part.isInvalidated == false)
            #expect(cabinet.parts.map(\.name) == ["c", "b"])
            let named = cabinet.named["k"] ?? nil
            cabinet.named["k"] = named
            #expect(named?.isInvalidated == false)
            #expect((cabinet.named["k"] ?? nil)?.name == "d")
        }
    }

    @Test("Assigning an embedded object that has another parent stops the program")
    func other() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: UUID().uuidString, objectTypes: [Cabinet.self]))
            try realm.write {
                let cabinet = realm.create(Cabinet.self, value: ["parts": [["name": "b"], []]])
                cabinet.parts[1] = cabinet.parts[0]
            }
        }.says("an embedded object that has a parent cannot get another one")
    }
}
