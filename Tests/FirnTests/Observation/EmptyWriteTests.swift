// A write transaction without changes called no block. In Realm every commit makes a version, and
// so `realm.write {}` calls the blocks of `realm.observe`, in the realm itself before it returns
// and in the other realms of the file later; programs and the tests of Realm use it to wait for
// notifications. Collections and objects are not reported, because they did not change. Firn makes
// no version for it, so other processes are not notified.

import Dispatch
import Firn
import Foundation
import Testing

@Suite("Write transactions without changes")
struct EmptyWriteTests {
    @Test("An empty write is reported only to observers of the realm", .tags(.difference))
    func sameRealm() throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let told = Told()
        let tokens = [
            realm.observe { notification, _ in told.add("realm \(notification)") },
            realm.objects(Citizen.self).observe { told.add($0) },
        ]
        realm.refresh()
        _ = told.news
        try realm.write {}
        #expect(told.news == ["realm didChange"])
        realm.refresh()
        #expect(told.news == [])
        realm.beginWrite()
        realm.cancelWrite()
        #expect(told.news == [])
        withExtendedLifetime(tokens) {}
    }

    @Test("An empty write is not reported to a token that the transaction suppresses")
    func leftOut() throws {
        let realm = try citizenRealm()
        let told = Told()
        let first = realm.observe { _, _ in told.add("first") }
        let second = realm.observe { _, _ in told.add("second") }
        realm.refresh()
        _ = told.news
        try realm.write(withoutNotifying: [first]) {}
        #expect(told.news == ["second"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("An empty write is reported to a realm of another thread")
    func otherRealm() throws {
        let realm = try citizenRealm()
        let told = Told()
        let token = realm.observe { notification, _ in told.add("\(notification)") }
        realm.refresh()
        _ = told.news
        try elsewhere(realm) { try $0.write {} }
        realm.refresh()
        #expect(told.news == ["didChange"])
        realm.refresh()
        #expect(told.news == [])
        withExtendedLifetime(token) {}
    }

    @Test("An asynchronous empty write is reported")
    func asynchronous() async throws {
        let identifier = UUID().uuidString
        let queue = DispatchQueue(label: "writes")
        let told = Told()
        let done = Signal()
        queue.async {
            do {
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        inMemoryIdentifier: identifier, objectTypes: [Toy.self]), queue: queue)
                let token = realm.observe { _, _ in told.add("didChange") }
                realm.writeAsync {
                } onComplete: { _ in
                    withExtendedLifetime(token) {}
                    done.fire()
                }
            } catch {
                Issue.record(error)
                done.fire()
            }
        }
        #expect(try await TestRealm.elsewhere { done.wait() })
        #expect(told.news == ["didChange"])
    }
}
