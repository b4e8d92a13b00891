import FirnPlatform
import Testing

@testable import Firn

/// Counts its instances.
final class TracedLink: Object {
    static let living = Guarded(0)

    @Persisted var name = ""
    @Persisted var next: TracedLink?

    required init() {
        super.init()
        TracedLink.living.withLock { $0 += 1 }
    }

    deinit { TracedLink.living.withLock { $0 -= 1 } }
}

/// Has computed properties that do more than read others.
private final class Restless: Object {
    @Persisted var name = ""
    @Persisted var readCount = 0
    let rank = RealmProperty<Int?>()

    var countedName: String {
        readCount += 1
        return name
    }

    var rankedName: String {
        rank.value = 1
        return name
    }

    var nameByName: String { self["name"] as? String ?? "" }
    var text: String { description }
}

@Suite("Names of key paths")
struct KeyPathNamesTests {
    @Test("A key path has the name of its property")
    func properties() {
        #expect(Citizen.name(of: \.firstName) == "firstName")
        #expect(Citizen.name(of: \.age) == "age")
        #expect(Citizen.name(of: \.weight) == "weight")
        #expect(Citizen.name(of: \.born) == "born")
        #expect(Citizen.name(of: \.isMarried) == "isMarried")
        #expect(Citizen.name(of: \.spouse) == "spouse")
        #expect(Citizen.name(of: \.friends) == "friends")
        #expect(Hound.name(of: \.owners) == "owners")
    }

    @Test("A key path includes the names of links and embedded objects on its way")
    func ways() {
        #expect(Citizen.name(of: \.home?.city) == "home.city")
        #expect(Citizen.name(of: \.home!.city) == "home.city")
        #expect(Citizen.name(of: \.home?.planet?.name) == "home.planet.name")
        #expect(Citizen.name(of: \.spouse?.spouse?.home?.country) == "spouse.spouse.home.country")
        #expect(Citizen.name(of: \.spouse?.weight) == "spouse.weight")
        #expect(Citizen.name(of: \.weight!) == "weight")
    }

    @Test("A key path has the name of an inherited property")
    func inherited() {
        #expect(Mayor.name(of: \.term) == "term")
        #expect(Mayor.name(of: \.home?.city) == "home.city")
    }

    @Test("A key path of a projection has the name of the underlying property")
    func projection() {
        #expect(CitizenProjection.name(of: \.firstName) == "firstName")
        #expect(CitizenProjection.name(of: \.homeCity) == "home.city")
    }

    @Test("A key path of a projected property has all properties that it shows")
    func origins() {
        #expect(KeyPathNames.origins(of: \Citizen.fullName) == ["firstName", "lastName"])
        #expect(KeyPathNames.origins(of: \Citizen.home?.city) == ["home.city"])
        #expect(KeyPathNames.origins(of: \Citizen.friends.projectTo.firstName) == ["friends"])
        #expect(KeyPathNames.origins(of: \Citizen.unstored).isEmpty)
    }

    /// The recorded path referred back to its recorder, and all of it stayed in memory.
    @Test("Recording a name leaks no memory")
    func memory() {
        #expect(KeyPathNames.origins(of: \TracedLink.next?.next?.name) == ["next.next.name"])
        #expect(TracedLink.name(of: \.next?.name) == "next.name")
        #expect(TracedLink.living.withLock { $0 } == 0)
    }

    @Test("A key path of a property that is not persisted stops the program")
    func others() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen.name(of: \.fullName)
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen.name(of: \.shout)
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen.name(of: \.isOld)
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen.name(of: \.unstored)
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen.name(of: \.firstName.count)
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen.name(of: \.home?.city.count)
        }.says("is not a persisted property of Citizen: computed properties")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CitizenProjection.name(of: \.lastNameCaps)
        }.says("is not a persisted property of CitizenProjection: computed")
    }

    @Test("A key path of a property with side effects stops the program")
    func restless() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Restless.name(of: \.countedName)
        }.says("a key path changed the object that it was applied to: pass that of a")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Restless.name(of: \.rankedName)
        }.says("a key path changed the object that it was applied to: pass that of a")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Restless.name(of: \.nameByName)
        }.says(
            "a key path reads a property by its name, or passes on the object", "persisted property"
        )
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Restless.name(of: \.text)
        }.says(
            "a key path reads a property by its name, or passes on the object", "persisted property"
        )
    }
}
