import Firn
import FirnIndexPaths
import FirnTesting
import Foundation
import Testing

private class Mug: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var size: Int8 = 0
    @Persisted var weight: Double?
    @Persisted var friend: Mug?
    @Persisted var others: List<Mug>
    @Persisted var stack: MutableSet<Mug>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Names that programs of the reference mention.
@Suite("Names of the reference")
struct ReferenceNameTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Mug.self]))
        try realm.write {
            for id in 0..<4 {
                realm.create(Mug.self, value: ["id": id, "name": "m\(id % 2)", "size": id])
            }
        }
    }

    private func counts<T: RealmSectionedResult>(_ sections: T) -> Int {
        sections.isFrozen ? -1 : sections.count
    }

    @Test("Sections and a single section share a protocol, and index paths have components")
    func sections() {
        let sections = realm.objects(Mug.self).sectioned(by: \.name)
        #expect(counts(sections) == 2 && counts(sections[0]) == 2)
        let path = IndexPath(item: 1, section: 0)
        #expect(path.item == 1 && path.row == 1 && path.section == 0)
        #expect(sections[path].id == 2)
        #expect(IndexPath(row: 1, section: 0) == path)
    }

    @Test("A key path has a name")
    func name() {
        #expect(_name(for: \Mug.friend) == "friend")
        #expect(_name(for: \Mug.friend?.name) == "friend.name")
    }

    @Test("Values returned as objects are Foundation objects")
    func foundation() throws {
        try realm.write {
            realm.objects(Mug.self)[0].others.append(objectsIn: realm.objects(Mug.self))
        }
        let others = realm.objects(Mug.self)[0].others
        let sizes: [AnyObject] = others.value(forKey: "size")
        #expect(sizes.map { ($0 as? NSNumber)?.intValue } == [0, 1, 2, 3])
        let names: [AnyObject] = others.value(forKey: "name")
        #expect(
            names.map { ($0 as? NSString).map(String.init(describing:)) } == [
                "m0", "m1", "m0", "m1",
            ])
        let weights: [AnyObject] = others.value(forKey: "weight")
        #expect(weights.allSatisfy { $0 is NSNull })
        let ids: [AnyObject] = others.value(forKey: "id")
        #expect(ids.allSatisfy { type(of: $0) is NSNumber.Type })
    }

    @Test("Values of a property of the objects in a set are distinct")
    func distinct() throws {
        try realm.write {
            realm.objects(Mug.self)[0].stack.insert(objectsIn: realm.objects(Mug.self))
        }
        let stack = realm.objects(Mug.self)[0].stack
        #expect((stack.value(forKey: "name") as? [String]).map(Set.init) == ["m0", "m1"])
        #expect((stack.value(forKey: "name") as? [String])?.count == 2)
        #expect((stack.value(forKey: "weight") as? [Double?])?.count == 1)
        #expect((stack.value(forKey: "id") as? [Int])?.count == 4)
    }

    @Test("A path below a file is an access error, and encoded decimals have no plus sign")
    func errors() throws {
        let folder = TemporaryFolder()
        let file = folder("file")
        try Data().write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: Realm.Error.self) {
            _ = try Realm(fileURL: URL(fileURLWithPath: file + "/below/default.realm"))
        }
        #expect(error?.code == .fileAccess)
        #expect(
            error?.localizedDescription.contains("\(file) is a file") == true,
            "\(String(describing: error))")
        let json = try JSONEncoder().encode(["1.5E2", "-2E+9", "1E-7"] as [Decimal128])
        #expect(String(decoding: json, as: UTF8.self) == #"["1.5E2","-2E9","1E-7"]"#)
        #expect(
            try JSONDecoder().decode([Decimal128].self, from: json) == ["1.5E2", "-2E+9", "1E-7"])
    }
}
