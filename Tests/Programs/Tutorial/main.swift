import Firn
import FirnRealmFiles
import Foundation

let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
// The app was at version 3 of its models.
let configuration = Realm.Configuration(
    fileURL: folder.appendingPathComponent("people.firn"), schemaVersion: 3)
if !Realm.fileExists(for: configuration) {
    let old = folder.appendingPathComponent("people.realm")
    for message in try Realm.importRealmFile(at: old, to: configuration).messages {
        print("import:", message)
    }
}

let realm = try Realm(configuration: configuration)
let people = realm.objects(Person.self)
let dogs = realm.objects(Dog.self)
print("\(people.count) people, \(dogs.count) dogs")

let children = people.where { $0.city == "Odense" && $0.age < 10 && $0.dogs.age > 14 }
for child in children.sorted(byKeyPath: "age").prefix(3) {
    let pets = child.dogs.map { "\($0.name), \($0.age)" }.joined(separator: "; ")
    print("\(child.first) \(child.last), \(child.age): \(pets)")
}

let oldest = dogs.sorted(byKeyPath: "age", ascending: false)
print("The oldest dog is \(oldest.max(of: \.age) ?? 0).")
try realm.write {
    for dog in dogs.where({ $0.age == 16 && $0.owners.city == "Aarhus" }) { dog.age += 1 }
}
print("Now it is \(oldest.max(of: \.age) ?? 0), in \(oldest.first?.owners.first?.city ?? "?").")
