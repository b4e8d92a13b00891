// A program that called `beginWrite()` and ended without `commitWrite()` lost all its changes
// without a message. Realm logs "an RLMRealm instance was deallocated during a write transaction
// and all pending changes have been rolled back"; at the end of a process it logs nothing.

import Firn
import FirnTesting
import Foundation
import Testing

private nonisolated(unsafe) var kept: [Realm] = []

@Suite("Write transactions that are left open")
struct OpenTransactionTests {
    @Test(
        "An open transaction is reported on standard error when the program ends",
        .tags(.difference))
    func end() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let test = TestRealm()
            try await TestRealm.elsewhere {
                let realm = try test.open()
                realm.beginWrite()
                realm.create(Person.self, value: ["id": 1])
                kept.append(realm)
            }
            exit(0)
        }
        let text = message(of: result)
        #expect(text.contains("Firn: error: the program ended while a write transaction of "))
        #expect(text.contains("test.firn was open: nothing that it changed was stored; call"))
    }

    @Test("An open transaction is reported when its realm is freed")
    func freed() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let test = TestRealm()
            try await TestRealm.elsewhere {
                let realm = try test.open()
                realm.beginWrite()
                realm.create(Person.self, value: ["id": 1])
            }
        }
        let text = message(of: result)
        #expect(text.contains("test.firn was freed while its write transaction was open: nothing"))
        #expect(!text.contains("the program ended"))
    }

    @Test("A committed or cancelled transaction is not reported")
    func ended() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let test = TestRealm()
            try await TestRealm.elsewhere {
                let realm = try test.open()
                realm.beginWrite()
                realm.create(Person.self, value: ["id": 1])
                try realm.commitWrite()
                realm.beginWrite()
                realm.cancelWrite()
                try? realm.write { throw CancellationError() }
                kept.append(realm)
            }
        }
        #expect(!message(of: result).contains("transaction"))
    }
}
