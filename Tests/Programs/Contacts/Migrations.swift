import Firn
import Foundation

/// The steps from each version to the next.
///
/// A file of any version migrates to the current one in one transaction. Each step therefore finds
/// the objects as the oldest version had them, and gives them the values of the current version.
struct Migrations {
    /// The year in which ages were stored.
    private static let year = 2026

    let migration: Migration
    let oldVersion: UInt64

    func run() {
        var nextID = 1
        migration.enumerateObjects(ofType: "Person") { old, new in
            guard let old, let new else { return }
            new["id"] = nextID
            nextID += 1
            name(old, new)
            if let born = born(old) { new["born"] = "\(born)" }
            if oldVersion < 3, let number = old["phone"] as? String {
                new["phones"] = [["number": number]]
            }
        }
        guard oldVersion == 3 else { return }
        moveCircles()
    }

    private func name(_ old: MigrationObject, _ new: MigrationObject) {
        guard oldVersion < 2 else {
            new["givenName"] = old["firstName"]
            new["familyName"] = old["lastName"]
            return
        }
        let words = (old["name"] as? String ?? "").split(separator: " ", maxSplits: 1)
        new["givenName"] = words.first.map(String.init) ?? ""
        new["familyName"] = words.count > 1 ? String(words[1]) : ""
    }

    private func born(_ old: MigrationObject) -> Int? {
        oldVersion < 2
            ? (old["age"] as? Int).map { Migrations.year - $0 } : old["born"] as? Int
    }

    /// Gives each person the names of the circles that have it as a member.
    private func moveCircles() {
        var circles: [String: Set<String>] = [:]
        migration.enumerateObjects(ofType: "Circle") { circle, _ in
            guard let circle, let name = circle["name"] as? String else { return }
            for member in circle.dynamicList("members") {
                circles[Migrations.key(member), default: []].insert(name)
            }
        }
        migration.enumerateObjects(ofType: "Person") { old, new in
            guard let old, let new, let names = circles[Migrations.key(old)] else { return }
            new["circles"] = names.sorted()
        }
        migration.deleteData(forType: "Circle")
    }

    private static func key(_ person: MigrationObject) -> String {
        "\(person["firstName"] ?? "") \(person["lastName"] ?? "")"
    }
}
