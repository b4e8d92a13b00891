import Firn
import Foundation

/// Contacts in groups.
final class AddressBook {
    private let realm: Realm

    init(fileURL: URL) throws {
        var configuration = Realm.Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        configuration.objectTypes = [Contact.self, Group.self]
        realm = try Realm(configuration: configuration)
    }

    /// Adds a contact; an existing one with the address gets the new name and keeps the rest.
    func add(_ email: String, _ name: String, to groupName: String?) throws {
        try realm.write {
            let contact = realm.create(
                Contact.self, value: ["email": email, "name": name], update: .modified)
            guard let groupName else { return }
            let group =
                realm.object(ofType: Group.self, forPrimaryKey: groupName)
                ?? realm.create(Group.self, value: ["name": groupName])
            if !group.members.contains(contact) { group.members.append(contact) }
        }
    }

    func setPhone(_ email: String, _ kind: String, _ number: String) throws {
        try change(email) { $0.phones[kind] = number }
    }

    func tag(_ email: String, _ tags: [String]) throws {
        try change(email) { $0.tags.insert(objectsIn: tags) }
    }

    func setNote(_ email: String, _ note: String?) throws {
        try change(email) { $0.note = note }
    }

    func delete(_ email: String) throws {
        guard let contact = try contact(email) else { return }
        try realm.write { realm.delete(contact) }
    }

    private func change(_ email: String, _ body: (Contact) -> Void) throws {
        guard let contact = try contact(email) else { return }
        try realm.write { body(contact) }
    }

    private func contact(_ email: String) throws -> Contact? {
        let found = realm.object(ofType: Contact.self, forPrimaryKey: email)
        if found == nil { print("nobody has the address \(email)") }
        return found
    }

    // MARK: Showing

    /// Prints all contacts, in sections by initial.
    func show() {
        let everybody = realm.objects(Contact.self)
        for section in everybody.sectioned(by: { $0.initial }, sortDescriptors: ["name", "email"]) {
            print(section.key)
            for contact in section { print("   ", line(contact)) }
        }
        print("\(everybody.count) contacts")
    }

    func showGroups() {
        for group in realm.objects(Group.self).sorted(byKeyPath: "name") {
            let names = group.members.sorted(byKeyPath: "name").map(\.name)
            print("\(group.name): \(names.joined(separator: ", "))")
        }
    }

    /// Prints the contacts with a text in the name, in a tag or in the note, ignoring case.
    func search(_ text: String) {
        let found = realm.objects(Contact.self).where {
            $0.name.contains(text, options: [.caseInsensitive, .diacriticInsensitive])
                || $0.note.contains(text, options: .caseInsensitive) || $0.tags.contains(text)
        }
        for contact in found.sorted(byKeyPath: "name", ascending: false) { print(line(contact)) }
    }

    private func line(_ contact: Contact) -> String {
        var parts = ["\(contact.name) <\(contact.email)>"]
        let phones = contact.phones.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        if !phones.isEmpty { parts.append(phones.joined(separator: ", ")) }
        let tags = contact.tags.sorted()
        if !tags.isEmpty { parts.append("#" + tags.joined(separator: " #")) }
        if let note = contact.note { parts.append(note) }
        let groups = contact.groups.map(\.name).sorted()
        if !groups.isEmpty { parts.append("in " + groups.joined(separator: ", ")) }
        return parts.joined(separator: "; ")
    }
}
