"""The scratch directory belongs to another user: root's operations there."""
import os
import tempfile
import unittest
from unittest import mock

from lib import own_files, readahead
from lib.errors import UserError
from lib.process import User
from lib.scratch import Scratch
from lib.server import Server


class OwnFilesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.addCleanup(directory.cleanup)
        self.path = directory.name
        self.victim = os.path.join(self.path, "victim")
        with open(self.victim, "w") as file:
            file.write("kept")

    def tearDown(self):
        with open(self.victim) as file:
            self.assertEqual(file.read(), "kept")

    def scratch(self, link, target):
        """A scratch directory that another user has created, with a link in
        it."""
        path = os.path.join(self.path, "scratch")
        os.mkdir(path)
        with open(os.path.join(path, "ssdpar-scratch"), "w"):
            pass
        link = os.path.join(path, link)
        if os.path.exists(link):
            os.unlink(link)
        os.symlink(target, link)
        with mock.patch.dict(os.environ, SSDPAR_SCRATCH=path):
            return Scratch()

    def test_a_file_is_replaced(self):
        path = os.path.join(self.path, "new")
        for text in ("long before", "short"):
            with own_files.replace(path) as file:
                file.write(text)
        with open(path) as file:
            self.assertEqual(file.read(), "short")

    def test_links_are_refused(self):
        for name in ("ssdpar-scratch", "lock"):
            with self.subTest(name):
                scratch = self.scratch(name, self.victim)
                with self.assertRaisesRegex(UserError, "is a link"):
                    scratch.make()
                    scratch.lock()
                for entry in os.listdir(scratch.path):
                    path = os.path.join(scratch.path, entry)
                    (os.rmdir if os.path.isdir(path) and
                     not os.path.islink(path) else os.unlink)(path)
                os.rmdir(scratch.path)

    def test_a_directory_behind_a_link_keeps_its_owner(self):
        other = os.path.join(self.path, "other")
        os.mkdir(other, 0o755)
        scratch = self.scratch("socket", other)
        with self.assertRaisesRegex(UserError, "is a link"):
            scratch.make()
        self.assertEqual(os.stat(other).st_mode & 0o777, 0o755)

    def test_settings_behind_a_link(self):
        server = Server.__new__(Server)
        server.scratch = self.scratch("data", self.path)
        server.settings = {}
        os.symlink(self.victim,
                   os.path.join(self.path, "postgresql.auto.conf"))
        with self.assertRaisesRegex(UserError, "is a link"):
            server._configure()

    def test_a_new_directory_is_no_link(self):
        link = os.path.join(self.path, "link")
        os.symlink(self.path, link)
        for make in (own_files.new_directory, own_files.keep_directory,
                     lambda path: own_files.make_directory(
                         path, User.current())):
            with self.assertRaisesRegex(UserError, "is a link"):
                make(link)

    def test_a_new_directory_is_ours_until_it_is_given(self):
        path = os.path.join(self.path, "new")
        os.mkdir(path, 0o777)
        own_files.new_directory(path)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o700)

    def test_links_are_given_and_not_what_they_lead_to(self):
        """Put there once the files were written."""
        path = os.path.join(self.path, "new")
        os.mkdir(path)
        os.symlink(self.victim, os.path.join(path, "file"))
        os.symlink(self.path, os.path.join(path, "directory"))
        with mock.patch.object(os, "chown") as chown:
            own_files.give_all(path, User.current())
        self.assertEqual(len(chown.call_args_list), 2)
        for call in chown.call_args_list:
            self.assertIs(call.kwargs["follow_symlinks"], False)

    def test_a_note_of_another_file_is_not_followed(self):
        with open(os.path.join(self.path, "read_ahead.json"), "w") as file:
            file.write('{"path": "%s", "read_ahead_kb": "0"}' % self.victim)
        readahead.restore(self.path)


if __name__ == "__main__":
    unittest.main()
