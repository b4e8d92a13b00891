import Firn
import FirnEngine
import FirnTesting
import FirnValues
import Foundation
import Testing

final class Band: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name = ""
    @Persisted var songs: List<Song>
}

/// Encodes the name only: songs encode their inverses, which would encode the songs again.
extension Band: Encodable {
    private enum CodingKeys: String, CodingKey { case name }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}

final class Song: Object, Encodable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var title = ""
    @Persisted(originProperty: "songs") var bands: LinkingObjects<Band>

    private enum CodingKeys: String, CodingKey { case title, bands }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(bands, forKey: .bands)
    }
}

@Suite("Objects of a realm")
struct RealmObjectsTests {
    @Test("Results and linking objects can be encoded")
    func encoding() throws {
        let realm = try makeRealm([Band.self])
        try realm.write {
            let song = realm.create(Song.self, value: ["title": "Yes"])
            realm.create(Band.self, value: ["name": "A", "songs": [song, ["title": "No"]]])
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        let songs = realm.objects(Song.self).sorted(by: \.title)
        #expect(
            try text(songs)
                == #"[{"bands":[{"name":"A"}],"title":"No"},{"bands":[{"name":"A"}],"title":"Yes"}]"#
        )
        #expect(try text(songs[0].bands) == #"[{"name":"A"}]"#)
        #expect(try text(Song().bands) == "[]")
    }

    @Test("Sections contain projections")
    func projections() throws {
        let realm = try citizenRealm { realm in
            realm.add([Citizen("Ann", "B"), Citizen("Bob", "A"), Citizen("Ann", "C")])
        }
        let all = realm.objects(CitizenProjection.self)
        let sections = all.sectioned(by: \.firstName)
        #expect(sections.allKeys == ["Ann", "Bob"])
        #expect(sections[0].map(\.lastNameCaps) == ["B", "C"])
        let byBlock = all.sectioned(
            by: { $0.lastNameCaps == "A" }, sortDescriptors: [SortDescriptor(keyPath: "lastName")])
        #expect(byBlock.allKeys == [true, false])
        #expect(byBlock[1].map(\.firstName) == ["Ann", "Ann"])
    }

    @Test("A sum beyond the range of Int stops the program")
    func overflow() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { realm in
                realm.add([Citizen("Ann", age: .max), Citizen("Bob", age: 1)])
            }
            let sum: Int = realm.objects(Citizen.self).sum(of: \.age)
            _ = sum
        }.says("@sum.age leaves the range of a 64-bit integer", "use @avg")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let ann = realm.objects(Citizen.self)[0]
            try realm.write { ann.marks.append(objectsIn: [.max, 1]) }
            let sum: Int = ann.marks.sum()
            _ = sum
        }.says("the sum leaves the range of a 64-bit integer: use average")
    }

    @Test("Reading objects after the type of a property changed in the file stops the program")
    func retyped() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm([Note.self])
            let realm = try test.open()
            try realm.write { realm.add(Note(value: ["text": "a"])) }
            let path = try #require(realm.configuration.fileURL?.path)
            let store = try Store.open(path, readOnly: false)
            let transaction = try store.beginWrite()
            let schema = try #require(transaction.schema.classNamed("Note"))
            let text = try #require(schema.propertyNamed("text"))
            try transaction.removeProperty(text.id, of: schema.id)
            try transaction.addProperty(
                ClassDefinition.Property(name: "text", type: FirnValues.PropertyType(.int)),
                to: schema.id, defaultValue: .int(0))
            _ = try transaction.commit()
            realm.refresh()
            _ = realm.objects(Note.self)[0].text
        }.says("the database has int where the model has String")
    }

    @Test("Searching for objects in a realm of another file stops the program")
    func otherFile() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let reference = ThreadSafeReference(to: realm.objects(Citizen.self)[0])
            _ = try citizenRealm().resolve(reference)
        }.says("an object can only be found again in a realm of its own file")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            let reference = ThreadSafeReference(to: realm.objects(Citizen.self)[0].marks)
            _ = try citizenRealm().resolve(reference)
        }.says("a collection can only be found again in a realm of its own file")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Reading.self])
            try realm.write { realm.add(Reading()) }
            let reference = ThreadSafeReference(to: realm.objects(Reading.self)[0].byName)
            _ = try makeRealm([Reading.self]).resolve(reference)
        }.says("a map can only be found again in a realm of its own file")
    }
}
