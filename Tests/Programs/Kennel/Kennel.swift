import Firn
import Foundation

/// People and their dogs, as in an app that was written for Realm.
final class Kennel {
    private let realm: Realm

    init(fileURL: URL) throws {
        realm = try Realm(configuration: Realm.Configuration(fileURL: fileURL))
    }

    /// Fills an empty kennel.
    func open() throws {
        guard realm.isEmpty else { return }
        let jane = Person(value: ["firstName": "Jane", "lastName": "Poe"])
        jane.address = Address(value: ["city": "Oslo", "country": "Norway"])
        jane.reviews.append(objectsIn: ["kind", "brings treats"])
        let john = Person()
        john.firstName = "John"
        john.lastName = "Doe"
        john.friends.append(jane)

        let rex = Dog(value: ["name": "Rex", "breed": Breed.husky, "weight": 24.5])
        rex.born = Date(timeIntervalSince1970: 1_500_000_000)
        let fifi = Dog()
        fifi.name = "Fifi"
        fifi.breed = .poodle
        john.dogs.append(rex)
        jane.dogs.append(objectsIn: [rex, fifi])
        try realm.write {
            // Adding John adds his friends, and all their dogs.
            realm.add(john)
            realm.create(Dog.self, value: ["name": "Stray"])
        }
    }

    func showPeople() {
        let people = realm.objects(PersonProjection.self).sorted(byKeyPath: "lastName")
        for person in people {
            let friends = person.friendsFirstName.joined(separator: ", ")
            let dogs = person.dogNames.joined(separator: ", ")
            print(
                "\(person.firstName) \(person.lastNameCaps) of \(person.homeCity ?? "nowhere"), "
                    + "friends: \(friends), dogs: \(dogs)")
        }
    }

    func showDogs() {
        for dog in realm.objects(Dog.self).sorted(by: \.name) {
            let owners = dog.owners.sorted(by: \.firstName).map(\.fullName)
            print("\(dog.name), \(dog.breed.rawValue), of \(owners.joined(separator: " and "))")
        }
        let dogs = realm.objects(Dog.self)
        print("without an owner:", dogs.where { $0.owners.count == 0 }.map(\.name))
        print("of Oslo:", dogs.filter("ANY owners.address.city == %@", "Oslo").count)
        let heaviest: Double? = dogs.max(ofProperty: "weight")
        print("heaviest:", heaviest ?? 0)
    }

    /// John moves to Jane's address, and both get other names through a projection.
    func move() throws {
        guard let john = realm.objects(Person.self).where({ $0.firstName == "John" }).first,
            let jane = john.friends.first
        else { return }
        let shown = PersonProjection(projecting: john)
        try realm.write {
            john.address = Address(value: ["city": jane.address?.city ?? "", "country": "Norway"])
            shown.firstName = "Jon"
            shown.friendsFirstName[0] = "Janne"
        }
        print("\(john.firstName) and \(jane.firstName) of \(shown.homeCity ?? "nowhere")")
    }

    /// A write that is cancelled: nothing remains.
    func sellAll() {
        do {
            try realm.write {
                realm.delete(realm.objects(Dog.self))
                print("dogs left:", realm.objects(Dog.self).count)
                throw ChangeOfMind()
            }
        } catch {
            print("\(error): \(realm.objects(Dog.self).count) dogs")
        }
    }

    /// A frozen object keeps its state.
    func adopt() throws {
        guard let stray = realm.objects(Dog.self).filter("owners.@count == 0").first,
            let jane = realm.objects(Person.self).filter("lastName == 'Poe'").first
        else { return }
        let before = jane.freeze()
        try realm.write { jane.dogs.insert(stray, at: 0) }
        print("before:", before.dogs.map(\.name), "now:", jane.dogs.map(\.name))
        try realm.write { realm.delete(stray) }
        print("stray is gone: \(stray.isInvalidated),", "dogs: \(jane.dogs.map(\.name))")
    }
}

struct ChangeOfMind: Error, CustomStringConvertible {
    var description: String { "kept them" }
}
