import Firn
import Foundation

class Contact: Object {
    @Persisted(primaryKey: true) var email: String
    @Persisted var name: String
    @Persisted var phones: Map<String, String>
    @Persisted var tags: MutableSet<String>
    @Persisted var note: String?
    @Persisted(originProperty: "members") var groups: LinkingObjects<Group>

    convenience init(email: String, name: String) {
        self.init()
        self.email = email
        self.name = name
    }

    /// The heading of the contact in a list.
    var initial: String { name.first.map { String($0).uppercased() } ?? "" }
}

class Group: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var members: List<Contact>
}
