import Firn
import FirnTesting
import Foundation
import Testing

/// Answers by question.
private final class Poll: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var answers: Map<String, Bool>
}

@Suite("Misuse of conditions in code")
struct QueryMisuseTests {
    @Test("Comparing the object itself instead of a property stops the program")
    func objectItself() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let ann = realm.objects(Citizen.self)[0]
            _ = realm.objects(Citizen.self).where { $0 == ann }
        }.says("the object itself is compared: name one of its properties")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { $0 == $0.spouse }
        }.says("the object itself is compared: name one of its properties")
    }

    @Test("An aggregate of a count stops the program")
    func counts() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { ($0.hounds.age > 3).count.sum > 2 }
        }.says("@sum of a count, which is one number already: leave it out")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { ($0.hounds.age > 3).count.max > 2 }
        }.says("@max of a count, which is one number already: leave it out")
    }

    @Test("Counting values instead of their collection stops the program")
    func elements() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try makeRealm([Poll.self]).objects(Poll.self).where { $0.answers.values.count > 0 }
        }.says("SUBQUERY needs a collection of objects, not Map<Bool> property \"answers\"")
    }

    @Test("Counting the collection itself is allowed")
    func countedCollection() throws {
        let realm = try makeRealm([Poll.self])
        try realm.write {
            for answers in [[true, false, true], [false]] {
                let poll = Poll()
                for (number, answer) in answers.enumerated() {
                    poll.answers["\(number)"] = answer
                }
                realm.add(poll)
            }
        }
        let polls = realm.objects(Poll.self).where { $0.answers.count > 1 }
        let counts = polls.map(\.answers.count)
        #expect(counts == [3])
    }
}
