/// Who may use a file.
package struct FileAccess: Hashable, Sendable {
    /// The numbers of the owner and of the group.
    package let userID: UInt32
    package let groupID: UInt32
    /// The lower nine bits of the mode.
    package let permissions: UInt32

    package init(userID: UInt32, groupID: UInt32, permissions: UInt32) {
        self.userID = userID
        self.groupID = groupID
        self.permissions = permissions
    }

    /// What a file beside this one needs, so that all who may write this one can use both: reading
    /// and writing for the owner, and for the group and for others if they have both here.
    ///
    ///     0600 -> 0600    0640 -> 0600    0660 -> 0660    0666 -> 0666
    package var ofCompanions: FileAccess {
        let group: UInt32 = permissions & 0o060 == 0o060 ? 0o060 : 0
        let others: UInt32 = permissions & 0o006 == 0o006 ? 0o006 : 0
        return FileAccess(
            userID: userID, groupID: groupID, permissions: 0o600 | group | others)
    }
}
