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

    /// The access of a file beside this one that holds a part of the same data.
    ///
    /// Whoever may read this one may read both, and whoever may read and write this one may write
    /// both. The owner may do everything.
    ///
    ///     0600 -> 0600    0640 -> 0640    0620 -> 0600    0660 -> 0660    0444 -> 0644
    package var ofCompanions: FileAccess {
        // To write a log without reading it is of no use to anybody.
        let readers = permissions & 0o044
        let writers = permissions & (readers >> 1)
        return FileAccess(
            userID: userID, groupID: groupID, permissions: 0o600 | readers | writers)
    }

    /// The permissions for a file that could only be given to another group.
    ///
    /// Those of the group of this file are among the others there, and the reverse: both get what
    /// either has here, so that nobody gets more.
    package var permissionsInOtherGroup: UInt32 {
        let common = (permissions >> 3) & permissions & 0o007
        return permissions & 0o700 | common << 3 | common
    }
}
